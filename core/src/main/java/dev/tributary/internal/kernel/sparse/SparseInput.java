package dev.tributary.internal.kernel.sparse;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * A sparse tensor among the inputs of a kernel: a matrix of int64 coordinates with a row for each
 * value, the vector of values, and the shape of the dense tensor. Valid during the call.
 */
public final class SparseInput {
  private final Tensor indices;
  private final Tensor values;
  private final Shape shape;
  private final long[] strides;
  private final int rank;

  private SparseInput(Tensor indices, Tensor values, Shape shape) {
    this.indices = indices;
    this.values = values;
    this.shape = shape;
    this.strides = shape.strides();
    this.rank = shape.rank();
  }

  /** The sparse tensor in three inputs: indices, values and shape, the first of them given. */
  public static SparseInput of(KernelContext context, int first) {
    return of(context.input(first), context.input(first + 1), context.input(first + 2));
  }

  static SparseInput of(Tensor indices, Tensor values, Tensor shape) {
    if (indices.rank() != 2) {
      throw TributaryException.invalidArgument(
          "Input indices should be a matrix but received shape %s", indices.shape());
    }
    if (values.rank() != 1) {
      throw TributaryException.invalidArgument(
          "Input values should be a vector but received shape %s", values.shape());
    }
    if (shape.rank() != 1) {
      throw TributaryException.invalidArgument(
          "Input shape should be a vector but received shape %s", shape.shape());
    }
    if (indices.shape().size(0) != values.elementCount()) {
      throw TributaryException.invalidArgument(
          "Number of values must match first dimension of indices. Got %d values, indices shape:"
              + " %s",
          values.elementCount(), indices.shape());
    }
    if (indices.shape().size(1) != shape.elementCount()) {
      throw TributaryException.invalidArgument(
          "Number of dimensions must match second dimension of indices. Got %d dimensions, indices"
              + " shape: %s",
          shape.elementCount(), indices.shape());
    }
    Shape dense = IndexTensors.toShape(shape);
    long unused = dense.elementCount();
    return new SparseInput(indices, values, dense);
  }

  public long count() {
    return values.elementCount();
  }

  public Tensor indices() {
    return indices;
  }

  public Tensor values() {
    return values;
  }

  public Shape shape() {
    return shape;
  }

  public int rank() {
    return rank;
  }

  /** Coordinate {@code d} of value {@code i}. */
  public long index(long i, int d) {
    return Memory.getLong(indices.storage().address() + 8 * (i * rank + d));
  }

  /** The place of value {@code i} in the dense tensor, row by row; its index is in bounds. */
  public long place(long i) {
    return place(i, 0, rank, strides);
  }

  /** The sum of some coordinates of value {@code i}, each multiplied by its stride. */
  long place(long i, int from, int to, long[] steps) {
    long place = 0;
    for (int d = from; d < to; d++) {
      place += index(i, d) * steps[d - from];
    }
    return place;
  }

  /** Fails if a coordinate is outside of the shape. */
  public SparseInput requireInBounds() {
    for (long i = 0; i < count(); i++) {
      for (int d = 0; d < rank; d++) {
        long index = index(i, d);
        if (index < 0 || index >= shape.size(d)) {
          throw TributaryException.invalidArgument(
              "indices%s is out of bounds: need 0 <= index < %s", text(i), shape);
        }
      }
    }
    return this;
  }

  /** Fails if a coordinate is outside of the shape, or if places repeat or are out of order. */
  public SparseInput requireOrdered() {
    requireInBounds();
    for (long i = 1; i < count(); i++) {
      int order = Long.compare(place(i - 1), place(i));
      if (order >= 0) {
        throw TributaryException.invalidArgument(
            order == 0
                ? "indices%s is repeated"
                : "indices%s is out of order. Many sparse ops require sorted indices.",
            text(i));
      }
    }
    return this;
  }

  private String text(long i) {
    StringBuilder text = new StringBuilder("[" + i + "] = [");
    for (int d = 0; d < rank; d++) {
      text.append(d == 0 ? "" : ",").append(index(i, d));
    }
    return text.append(']').toString();
  }
}
