package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.function.LongUnaryOperator;

/**
 * Counts how often each integer appears, or sums the weights of its appearances. Integers from the
 * number of bins on are left out. Confined to one call of a kernel.
 */
public final class Bincount {
  private final Tensor weights;
  private final boolean binary;
  private final RowMove mark;
  private final Tensor bins;
  private final Tensor one;
  private final RowSum sums;
  private final long size;

  private Bincount(Tensor bins, Tensor weights, Tensor one, boolean binary) {
    this.weights = weights;
    this.binary = binary;
    this.bins = bins;
    this.one = one;
    this.mark = new RowMove(one, bins, 1);
    this.sums = new RowSum(bins.type(), 1);
    this.size = bins.shape().size(-1);
  }

  /** Counts over all elements of the input. */
  public static void flat(KernelContext context) {
    rows(context, 0, 1, Shape.scalar(), false, i -> 0);
  }

  /** Counts over a vector, or over each row of a matrix. */
  public static void dense(KernelContext context, boolean binary) {
    Shape shape = context.input(0).shape();
    if (shape.rank() != 1 && shape.rank() != 2) {
      throw TributaryException.invalidArgument(
          "the input must be a vector or a matrix, got shape %s", shape);
    }
    Tensor weights = context.input(2);
    if (weights.elementCount() > 0 && !weights.shape().equals(shape)) {
      throw TributaryException.invalidArgument(
          "`weights` must be the same shape as `arr` or a length-0 `Tensor`, in which case it acts"
              + " as all weights equal to 1. Received %s",
          weights.shape());
    }
    long inRow = Math.max(1, shape.size(-1));
    rows(context, 0, 1, shape.slice(0, shape.rank() - 1), binary, i -> i / inRow);
  }

  /**
   * Counts over the rows of a tensor.
   *
   * @param size the input with the number of bins, in front of the one with the weights
   * @param rowOf the row of each value, which must be in range
   */
  public static void rows(
      KernelContext context,
      int values,
      int size,
      Shape rows,
      boolean binary,
      LongUnaryOperator rowOf) {
    Tensor input = context.input(values);
    Tensor weights = context.input(size + 1);
    if (weights.elementCount() > 0 && weights.elementCount() != input.elementCount()) {
      throw TributaryException.invalidArgument(
          "Input indices and weights must have the same size, got %d and %d",
          input.elementCount(), weights.elementCount());
    }
    Shape bin = Shape.of(size(context.input(size)));
    Tensor bins = context.allocateOutput(0, rows.concatenate(bin));
    Fill.zeros(bins);
    long count = input.elementCount();
    try (Tensor one = context.allocate(bins.type(), Shape.scalar())) {
      Fill.ones(one);
      Bincount counts = new Bincount(bins, weights, one, binary);
      for (long i = 0; i < count; i++) {
        counts.add(rowOf.applyAsLong(i), IndexTensors.at(input, i), i);
      }
    }
  }

  /** The number of bins that a scalar input gives. */
  static long size(Tensor input) {
    IndexTensors.requireScalar(input, "size");
    long size = input.getIndex(0);
    if (size < 0) {
      throw TributaryException.invalidArgument("size (%d) must be non-negative", size);
    }
    return size;
  }

  /** Counts an appearance of {@code value}, whose weight is number {@code i}. */
  private void add(long row, long value, long i) {
    if (value < 0) {
      throw TributaryException.invalidArgument(
          "Input arr must be non-negative! Negative input value found: %d", value);
    }
    if (value >= size) {
      return;
    }
    long bin = row * size + value;
    long to = bins.storage().address();
    if (binary) {
      mark.move(0, bin);
    } else if (weights.elementCount() > 0) {
      sums.add(weights.storage().address(), i, to, bin);
    } else {
      sums.add(one.storage().address(), 0, to, bin);
    }
  }
}
