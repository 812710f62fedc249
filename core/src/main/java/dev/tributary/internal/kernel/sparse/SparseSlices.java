package dev.tributary.internal.kernel.sparse;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.RowMove;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/** The kernels that cut parts out of sparse tensors. */
public final class SparseSlices {
  private SparseSlices() {}

  /** The part that starts at some place and has at most some size. */
  public static void slice(KernelContext context) {
    SparseInput input = SparseInput.of(context, 0);
    long[] start = IndexTensors.vector(context.input(3), "start", input.rank());
    long[] size = IndexTensors.vector(context.input(4), "size", input.rank());
    for (int d = 0; d < start.length; d++) {
      if (start[d] < 0 || size[d] < 0) {
        throw TributaryException.invalidArgument(
            "start and size must be >= 0, got %s and %s",
            Arrays.toString(start), Arrays.toString(size));
      }
      long left = Math.max(0, input.shape().size(d) - start[d]);
      size[d] = Math.min(size[d], left);
    }
    write(context, input, start, size, 0, 1);
  }

  /** Equal parts along a dimension; those in front are longer by one if it does not divide. */
  public static void split(KernelContext context, int parts) {
    IndexTensors.requireScalar(context.input(0), "split_dim");
    SparseInput input = SparseInput.of(context, 1);
    int axis = SparseOrder.axis(context.input(0).getIndex(0), input.rank(), "Input axis");
    long whole = input.shape().size(axis);
    if (parts < 1 || parts > whole) {
      throw TributaryException.invalidArgument(
          "Input num_split should be between 1 and the splitting dimension size (%d), got %d",
          whole, parts);
    }
    long[] start = new long[input.rank()];
    long[] size = input.shape().toArray();
    for (int part = 0; part < parts; part++) {
      size[axis] = whole / parts + (part < whole % parts ? 1 : 0);
      write(context, input, start, size, part, parts);
      start[axis] += size[axis];
    }
  }

  /** Sets the outputs with this number, of each of three lists, to a part. */
  private static void write(
      KernelContext context, SparseInput input, long[] start, long[] size, int part, int parts) {
    long count = 0;
    for (long i = 0; i < input.count(); i++) {
      count += isInside(input, i, start, size) ? 1 : 0;
    }
    int rank = input.rank();
    long to = context.allocateOutput(part, Shape.of(count, rank)).storage().address();
    Tensor values = context.allocateOutput(parts + part, Shape.of(count));
    RowMove move = new RowMove(input.values(), values, 1);
    long next = 0;
    for (long i = 0; i < input.count(); i++) {
      if (isInside(input, i, start, size)) {
        for (int d = 0; d < rank; d++) {
          Memory.putLong(to + 8 * (next * rank + d), input.index(i, d) - start[d]);
        }
        move.move(i, next++);
      }
    }
    IndexTensors.setVector(context, 2 * parts + part, size);
  }

  private static boolean isInside(SparseInput input, long i, long[] start, long[] size) {
    for (int d = 0; d < start.length; d++) {
      long index = input.index(i, d);
      if (index < start[d] || index >= start[d] + size[d]) {
        return false;
      }
    }
    return true;
  }

  /** Sends the gradient of a part back to the values that it has; others get 0. */
  public static void sliceGradient(KernelContext context) {
    Tensor gradient = context.input(0);
    Tensor all = context.input(1);
    Tensor part = context.input(3);
    if (gradient.rank() != 1 || all.rank() != 2 || part.rank() != 2) {
      throw TributaryException.invalidArgument(
          "wanted a vector and matrices of indices, got shapes %s, %s and %s",
          gradient.shape(), all.shape(), part.shape());
    }
    int rank = (int) all.shape().size(1);
    long[] start = IndexTensors.vector(context.input(2), "input_start", rank);
    if (part.shape().size(1) != rank || part.shape().size(0) != gradient.elementCount()) {
      throw TributaryException.invalidArgument(
          "output_indices of shape %s do not fit %d gradients of rank %d",
          part.shape(), gradient.elementCount(), rank);
    }
    Tensor result = context.allocateOutput(0, Shape.of(all.shape().size(0)));
    Fill.zeros(result);
    RowMove move = new RowMove(gradient, result, 1);
    long next = 0;
    for (long i = 0; i < result.elementCount() && next < gradient.elementCount(); i++) {
      boolean same = true;
      for (int d = 0; d < rank && same; d++) {
        same = all.getLong(i * rank + d) - start[d] == part.getLong(next * rank + d);
      }
      if (same) {
        move.move(next++, i);
      }
    }
    if (next < gradient.elementCount()) {
      throw TributaryException.invalidArgument(
          "Elements of backprop_val_grad aren't all propagated: %d of %d",
          next, gradient.elementCount());
    }
  }
}
