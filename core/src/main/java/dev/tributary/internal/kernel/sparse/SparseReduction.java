package dev.tributary.internal.kernel.sparse;

import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.RowMove;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.math.Arithmetic;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** Sums, or takes the greatest of, the values of a sparse tensor along axes; 0 where are none. */
public final class SparseReduction implements Kernel {
  private final boolean keepDims;
  private final BinaryLoop fold;

  private SparseReduction(KernelNode node, BinaryLoop fold) {
    this.keepDims = node.attributes().bool("keep_dims");
    this.fold = fold;
    fold.requireSupport(node.type());
  }

  public static SparseReduction sum(KernelNode node) {
    return new SparseReduction(node, Arithmetic.ADD);
  }

  public static SparseReduction max(KernelNode node) {
    return new SparseReduction(node, Arithmetic.MAXIMUM);
  }

  /** The shape with the axes reduced: left out, or of size 1. */
  public static Shape reduced(Shape shape, long[] axes, boolean keepDims) {
    Shape kept = shape;
    boolean[] gone = new boolean[shape.rank()];
    for (long axis : axes) {
      int at = SparseOrder.axis(axis, shape.rank(), "Invalid reduction dimension");
      gone[at] = true;
      kept = kept.withSize(at, 1);
    }
    if (keepDims) {
      return kept;
    }
    Shape result = Shape.scalar();
    for (int d = 0; d < gone.length; d++) {
      result = gone[d] ? result : result.concatenate(shape.slice(d, d + 1));
    }
    return result;
  }

  @Override
  public void compute(KernelContext context) {
    SparseInput input = SparseInput.of(context, 0).requireInBounds();
    long[] axes = IndexTensors.all(context.input(3));
    Tensor result = context.allocateOutput(0, reduced(input.shape(), axes, keepDims));
    fold(input, reduced(input.shape(), axes, true), result);
  }

  /** The same for a sparse result, which has the places that a value was reduced to, in order. */
  public void computeSparse(KernelContext context) {
    SparseInput input = SparseInput.of(context, 0).requireInBounds();
    long[] axes = IndexTensors.all(context.input(3));
    Shape shape = reduced(input.shape(), axes, keepDims);
    try (Tensor dense = context.allocate(input.values().type(), shape)) {
      boolean[] seen = fold(input, reduced(input.shape(), axes, true), dense);
      int count = 0;
      for (boolean one : seen) {
        count += one ? 1 : 0;
      }
      Tensor indices = context.allocateOutput(0, Shape.of(count, shape.rank()));
      RowMove move = new RowMove(dense, context.allocateOutput(1, Shape.of(count)), 1);
      long[] strides = shape.strides();
      long to = 0;
      for (int place = 0; place < seen.length; place++) {
        if (seen[place]) {
          long address = indices.storage().address() + 8 * to * shape.rank();
          SparseOrder.writeIndex(address, place, strides);
          move.move(place, to++);
        }
      }
      IndexTensors.setVector(context, 2, shape.toArray());
    }
  }

  /** Reduces the values into a dense tensor of zeros; returns where it has values. */
  private boolean[] fold(SparseInput input, Shape kept, Tensor result) {
    Fill.zeros(result);
    long[] strides = Broadcast.repeatedStrides(kept, input.shape().toArray());
    boolean[] seen = new boolean[ArrayLength.of(result.elementCount())];
    Broadcast one = Broadcast.of(Shape.of(1), Shape.of(1));
    int size = result.type().size();
    for (long i = 0; i < input.count(); i++) {
      int to = (int) input.place(i, 0, input.rank(), strides);
      long target = result.storage().address() + (long) to * size;
      long value = input.values().storage().address() + i * size;
      if (seen[to]) {
        fold.run(result.type(), target, value, target, one);
      } else {
        Memory.copy(value, target, size);
        seen[to] = true;
      }
    }
    return seen;
  }
}
