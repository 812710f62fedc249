package dev.tributary.internal.kernel.sparse;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.RowMove;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** Functions of two numbers, one of which is a value of a sparse tensor. */
public final class SparsePairs {
  private SparsePairs() {}

  /**
   * A function of each value and of the element of a dense tensor at its place; the dense one is
   * repeated where it is smaller.
   */
  public static Kernel withDense(KernelNode node, BinaryLoop function) {
    function.requireSupport(node.type());
    return context -> withDense(context, function);
  }

  private static void withDense(KernelContext context, BinaryLoop function) {
    SparseInput sparse = SparseInput.of(context, 0).requireInBounds();
    Tensor dense = context.input(3);
    requireRepeatable(dense.shape(), sparse.shape());
    long[] strides = Broadcast.repeatedStrides(dense.shape(), sparse.shape().toArray());
    Shape count = Shape.of(sparse.count());
    try (Tensor gathered = context.allocate(dense.type(), count)) {
      RowMove move = new RowMove(dense, gathered, 1);
      for (long i = 0; i < sparse.count(); i++) {
        move.move(sparse.place(i, 0, sparse.rank(), strides), i);
      }
      Tensor result = context.allocateOutput(0, count);
      run(function, sparse.values(), gathered, result);
    }
  }

  private static void requireRepeatable(Shape dense, Shape sparse) {
    boolean fits = dense.rank() <= sparse.rank();
    for (int d = 1; fits && d <= dense.rank(); d++) {
      long size = dense.size(dense.rank() - d);
      fits = size == 1 || size == sparse.size(sparse.rank() - d);
    }
    if (!fits) {
      throw TributaryException.invalidArgument(
          "SparseDenseBinaryOpShared broadcasts dense to sparse only; got incompatible shapes: %s"
              + " vs. %s",
          sparse, dense);
    }
  }

  /**
   * A function of the values of two sparse tensors of one shape at each place that is in either of
   * them; the other has 0 there.
   */
  public static Kernel ofBoth(KernelNode node, BinaryLoop function) {
    function.requireSupport(node.type());
    return context -> ofBoth(context, function);
  }

  private static void ofBoth(KernelContext context, BinaryLoop function) {
    SparseInput a = SparseInput.of(context, 0).requireInBounds();
    SparseInput b = SparseInput.of(context, 3).requireInBounds();
    if (!a.shape().equals(b.shape())) {
      throw TributaryException.invalidArgument(
          "Operands' shapes do not match: got %s and %s", a.shape(), b.shape());
    }
    SparseUnion union = new SparseUnion(a, b);
    int count = union.count();
    Shape shape = Shape.of(count);
    try (Tensor ofA = context.allocate(a.values().type(), shape);
        Tensor ofB = context.allocate(a.values().type(), shape)) {
      Fill.zeros(ofA);
      Fill.zeros(ofB);
      RowMove left = new RowMove(a.values(), ofA, 1);
      RowMove right = new RowMove(b.values(), ofB, 1);
      for (int i = 0; i < count; i++) {
        if (union.inA(i) >= 0) {
          left.move(union.inA(i), i);
        }
        if (union.inB(i) >= 0) {
          right.move(union.inB(i), i);
        }
      }
      union.writeIndices(context.allocateOutput(0, Shape.of(count, a.rank())), count);
      run(function, ofA, ofB, context.allocateOutput(1, shape));
    }
  }

  private static void run(BinaryLoop function, Tensor left, Tensor right, Tensor result) {
    function.run(
        result.type(),
        left.storage().address(),
        right.storage().address(),
        result.storage().address(),
        Broadcast.of(left.shape(), right.shape()));
  }
}
