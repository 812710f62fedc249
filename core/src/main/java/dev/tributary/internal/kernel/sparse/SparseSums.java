package dev.tributary.internal.kernel.sparse;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.internal.kernel.array.RowMove;
import dev.tributary.internal.kernel.loop.Complex;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.internal.kernel.math.RowSums;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** The kernels of SparseAdd and its gradient, and of the sum of a sparse and a dense tensor. */
public final class SparseSums {
  private SparseSums() {}

  /** The sum of two sparse tensors, without sums of two values that are below a threshold. */
  public static void add(KernelContext context) {
    SparseInput a = SparseInput.of(context, 0).requireInBounds();
    SparseInput b = SparseInput.of(context, 3).requireInBounds();
    IndexTensors.requireScalar(context.input(6), "thresh");
    if (!a.shape().equals(b.shape())) {
      throw TributaryException.invalidArgument(
          "Operands' shapes do not match: got %s and %s", a.shape(), b.shape());
    }
    SparseUnion union = new SparseUnion(a, b);
    int count = union.count();
    try (Tensor sums = context.allocate(a.values().type(), Shape.of(count))) {
      Fill.zeros(sums);
      RowSums rows = new RowSums(sums.type(), 1);
      RowMove move = new RowMove(sums, sums, 1);
      int kept = 0;
      for (int i = 0; i < count; i++) {
        addTo(rows, a, union.inA(i), sums, i);
        addTo(rows, b, union.inB(i), sums, i);
        boolean alone = union.inA(i) < 0 || union.inB(i) < 0;
        if (alone || reaches(sums, i, context.input(6))) {
          union.keep(i, kept);
          move.move(i, kept++);
        }
      }
      union.writeIndices(context.allocateOutput(0, Shape.of(kept, a.rank())), kept);
      Tensor values = context.allocateOutput(1, Shape.of(kept));
      Memory.copy(sums.storage().address(), values.storage().address(), values.byteSize());
      IndexTensors.setVector(context, 2, a.shape().toArray());
    }
  }

  private static void addTo(RowSums rows, SparseInput input, int i, Tensor sums, int to) {
    if (i >= 0) {
      rows.add(input.values().storage().address(), i, sums.storage().address(), to);
    }
  }

  private static boolean reaches(Tensor sums, long i, Tensor threshold) {
    if (sums.type().isComplex()) {
      RealElements parts = RealElements.of(sums.type().realType());
      long at = sums.storage().address() + i * sums.type().size();
      Complex sum = new Complex(parts.get(at), parts.get(at + parts.size()));
      return Reals.at(threshold, 0) <= sum.modulus();
    }
    return sums.type().isFloating()
        ? Reals.at(threshold, 0) <= Math.abs(Reals.at(sums, i))
        : IndexTensors.at(threshold, 0) <= Math.abs(IndexTensors.at(sums, i));
  }

  /** Sends the gradient of each sum back to the values that are at its place in either tensor. */
  public static void addGradient(KernelContext context) {
    Tensor gradient = context.input(0);
    if (gradient.rank() != 1) {
      throw TributaryException.invalidArgument(
          "backprop_val_grad must be a vector, got shape %s", gradient.shape());
    }
    Tensor sums = context.input(3);
    for (int i = 1; i <= 3; i++) {
      Shape shape = context.input(i).shape();
      if (shape.rank() != 2 || sums.rank() != 2 || shape.size(1) != sums.shape().size(1)) {
        throw TributaryException.invalidArgument(
            "indices must be matrices of as many columns, got shapes %s and %s",
            shape, sums.shape());
      }
    }
    if (sums.shape().size(0) != gradient.elementCount()) {
      throw TributaryException.invalidArgument(
          "# elements of backprop_val_grad and # rows of sum_indices should match (%d vs. %d)",
          gradient.elementCount(), sums.shape().size(0));
    }
    send(gradient, sums, context.input(1), context, 0);
    send(gradient, sums, context.input(2), context, 1);
  }

  private static void send(
      Tensor gradient, Tensor sums, Tensor indices, KernelContext context, int output) {
    Tensor result = context.allocateOutput(output, Shape.of(indices.shape().size(0)));
    Fill.zeros(result);
    RowMove move = new RowMove(gradient, result, 1);
    long count = result.elementCount();
    long i = 0;
    for (long k = 0; k < gradient.elementCount() && i < count; k++) {
      while (i < count && order(indices, i, sums, k) < 0) {
        i++;
      }
      if (i < count && order(indices, i, sums, k) == 0) {
        move.move(k, i++);
      }
    }
  }

  private static int order(Tensor a, long i, Tensor b, long j) {
    long rank = a.shape().size(1);
    int order = 0;
    for (long d = 0; d < rank && order == 0; d++) {
      long ofA = Memory.getLong(a.storage().address() + 8 * (i * rank + d));
      order = Long.compare(ofA, Memory.getLong(b.storage().address() + 8 * (j * rank + d)));
    }
    return order;
  }

  /** A dense tensor with the values of a sparse one added. */
  public static void addToDense(KernelContext context) {
    Tensor indices = context.input(0);
    Tensor values = context.input(1);
    Tensor dense = context.input(3);
    if (indices.rank() != 2 || values.rank() != 1 || context.input(2).rank() != 1) {
      throw TributaryException.invalidArgument(
          "wanted a matrix and two vectors, got shapes %s, %s and %s",
          indices.shape(), values.shape(), context.input(2).shape());
    }
    Shape shape = IndexTensors.toShape(context.input(2));
    if (!shape.equals(dense.shape()) || indices.shape().size(1) != shape.rank()) {
      throw TributaryException.invalidArgument(
          "a sparse tensor of shape %s with indices of shape %s does not fit a tensor of shape %s",
          shape, indices.shape(), dense.shape());
    }
    if (indices.shape().size(0) != values.elementCount()) {
      throw TributaryException.invalidArgument(
          "%d values do not fit indices of shape %s", values.elementCount(), indices.shape());
    }
    Tensor sum = context.allocateOutput(0, shape);
    Memory.copy(dense.storage().address(), sum.storage().address(), dense.byteSize());
    DensePlaces places = new DensePlaces(indices, shape, false);
    RowSums rows = new RowSums(sum.type(), 1);
    for (long i = 0; i < values.elementCount(); i++) {
      rows.add(values.storage().address(), i, sum.storage().address(), places.next());
    }
  }
}
