package dev.tributary.internal.kernel.sparse;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.RowMove;
import dev.tributary.internal.kernel.math.RowSums;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/** The kernels of SparseReshape, SparseToDense and SparseFillEmptyRows with its gradient. */
public final class SparseShapes {
  private SparseShapes() {}

  /** The same places in a shape of other dimensions. */
  public static void reshape(KernelContext context) {
    Tensor indices = context.input(0);
    if (indices.rank() != 2) {
      throw TributaryException.invalidArgument(
          "Input indices should be a matrix but received shape %s", indices.shape());
    }
    IndexTensors.vector(context.input(1), "Input shape");
    Shape from = IndexTensors.toShape(context.input(1));
    if (indices.shape().size(1) != from.rank()) {
      throw TributaryException.invalidArgument(
          "Input tensor rank must match input shape length: indices have %d columns, the shape is"
              + " %s",
          indices.shape().size(1), from);
    }
    long[] wanted = IndexTensors.vector(context.input(2), "Target shape");
    Shape to = reshaped(from, wanted);
    if (from.equals(to)) {
      context.setOutput(0, indices.retain());
      context.setOutput(1, context.input(1).retain());
      return;
    }
    long count = indices.shape().size(0);
    if (count > 0 && from.elementCount() == 0) {
      throw TributaryException.invalidArgument(
          "Input tensor has %d non zero elements but input shape (%s) or output shape (%s) is"
              + " empty",
          count, from, to);
    }
    moveIndices(indices, from, context.allocateOutput(0, Shape.of(count, to.rank())), to);
    IndexTensors.setVector(context, 1, to.toArray());
  }

  private static void moveIndices(Tensor source, Shape from, Tensor target, Shape to) {
    long[] in = from.strides();
    long[] out = to.strides();
    long read = source.storage().address();
    long write = target.storage().address();
    for (long i = 0; i < source.shape().size(0); i++) {
      long place = 0;
      for (long stride : in) {
        place += Memory.getLong(read) * stride;
        read += 8;
      }
      for (long stride : out) {
        Memory.putLong(write, place / stride);
        place %= stride;
        write += 8;
      }
    }
  }

  /** The shape of as many elements, where one of the wanted sizes may be -1. */
  private static Shape reshaped(Shape from, long[] wanted) {
    long[] sizes = wanted.clone();
    int open = -1;
    for (int d = 0; d < sizes.length; d++) {
      if (sizes[d] == -1 && open >= 0) {
        throw TributaryException.invalidArgument(
            "only one output dimension may be -1, not both %d and %d", open, d);
      }
      if (sizes[d] < -1) {
        throw TributaryException.invalidArgument(
            "size %d must be non-negative, not %d", d, sizes[d]);
      }
      if (sizes[d] == -1) {
        open = d;
        sizes[d] = 1;
      }
    }
    long product = Shape.of(sizes).elementCount();
    long elements = from.elementCount();
    if (open >= 0 && product == 0) {
      throw TributaryException.invalidArgument(
          "reshape cannot infer the missing input size for an empty tensor unless all specified"
              + " input sizes are non-zero");
    }
    if (open >= 0) {
      sizes[open] = elements / product;
      product *= sizes[open];
    }
    if (product != elements) {
      throw TributaryException.invalidArgument(
          "Input to reshape is a SparseTensor with %d dense values, but the requested shape %s has"
              + " %d. input_shape=%s",
          elements, Arrays.toString(wanted), product, from);
    }
    return Shape.of(sizes);
  }

  /** The dense tensor, with a default where the sparse one has no value. */
  public static void toDense(KernelContext context, boolean ordered) {
    Tensor indices = context.input(0);
    Tensor sizes = context.input(1);
    Tensor values = context.input(2);
    Tensor fallback = context.input(3);
    if (indices.rank() > 2) {
      throw TributaryException.invalidArgument(
          "sparse_indices should be a scalar, vector, or matrix, got shape %s", indices.shape());
    }
    long count = indices.rank() > 0 ? indices.shape().size(0) : 1;
    long rank = indices.rank() > 1 ? indices.shape().size(1) : 1;
    if (sizes.rank() != 1 || sizes.elementCount() != rank) {
      throw TributaryException.invalidArgument(
          "output_shape should be a vector of %d elements, got shape %s", rank, sizes.shape());
    }
    if (values.rank() > 1 || values.rank() == 1 && values.elementCount() != count) {
      throw TributaryException.invalidArgument(
          "sparse_values has incorrect shape %s, should be [] or [%d]", values.shape(), count);
    }
    IndexTensors.requireScalar(fallback, "default_value");
    Shape shape = IndexTensors.toShape(sizes);
    Tensor dense = context.allocateOutput(0, shape);
    Fill.with(fallback, dense);
    DensePlaces places = new DensePlaces(indices, shape, ordered);
    RowMove move = new RowMove(values, dense, 1);
    for (long i = 0; i < count; i++) {
      move.move(values.rank() == 0 ? 0 : i, places.next());
    }
  }

  /** Puts a default value into the first column of each row that has none. */
  public static void fillEmptyRows(KernelContext context) {
    IndexTensors.vector(context.input(2), "dense_shape");
    if (context.input(2).elementCount() == 0) {
      throw TributaryException.invalidArgument("Dense shape cannot be empty.");
    }
    Tensor indices = context.input(0);
    Tensor values = context.input(1);
    if (indices.rank() != 2 || values.rank() != 1) {
      throw TributaryException.invalidArgument(
          "indices must be a matrix and values a vector, saw: %s and %s",
          indices.shape(), values.shape());
    }
    if (indices.shape().size(0) != values.elementCount()) {
      throw TributaryException.invalidArgument(
          "The length of `values` (%d) must match the first dimension of `indices` (%d).",
          values.elementCount(), indices.shape().size(0));
    }
    IndexTensors.requireScalar(context.input(3), "default_value");
    RowFilling.fill(context, 0);
  }

  /** The same for values whose rows are a vector. */
  public static void fillEmptyRaggedRows(KernelContext context) {
    Tensor rows = context.input(0);
    Tensor values = context.input(1);
    if (rows.rank() != 1 || values.rank() != 1 || rows.elementCount() != values.elementCount()) {
      throw TributaryException.invalidArgument(
          "value_rowids and values must be vectors of one size, saw: %s and %s",
          rows.shape(), values.shape());
    }
    IndexTensors.requireScalar(context.input(2), "nrows");
    IndexTensors.requireScalar(context.input(3), "default_value");
    RowFilling.fill(context, 0);
  }

  /** Sends the gradient back: to the values that were there, and the rest to the default. */
  public static void fillEmptyRowsGradient(KernelContext context) {
    long[] map = IndexTensors.vector(context.input(0), "reverse_index_map");
    Tensor gradient = context.input(1);
    if (gradient.rank() != 1) {
      throw TributaryException.invalidArgument(
          "grad_values must be a vector, saw: %s", gradient.shape());
    }
    int count = ArrayLength.of(gradient.elementCount());
    boolean[] visited = new boolean[count];
    RowMove move = new RowMove(gradient, context.allocateOutput(0, Shape.of(map.length)), 1);
    for (int i = 0; i < map.length; i++) {
      if (map[i] < 0 || map[i] >= count) {
        throw TributaryException.invalidArgument(
            "Elements in reverse index must be in [0, %d) but got %d", count, map[i]);
      }
      move.move(map[i], i);
      visited[(int) map[i]] = true;
    }
    Tensor rest = context.allocateOutput(1, Shape.scalar());
    Fill.zeros(rest);
    RowSums sums = new RowSums(gradient.type(), 1);
    for (int i = 0; i < count; i++) {
      if (!visited[i]) {
        sums.add(gradient.storage().address(), i, rest.storage().address(), 0);
      }
    }
  }
}
