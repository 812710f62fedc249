package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/**
 * The kernel of ListDiff: the elements of one vector that another one does not have, and where they
 * are.
 */
public final class ListDifference {
  private ListDifference() {}

  public static void compute(KernelContext context) {
    Tensor x = requireVector(context.input(0), "x");
    Tensor y = requireVector(context.input(1), "y");
    long[] kept = kept(context, x, y);
    RowMove move = new RowMove(x, context.allocateOutput(0, Shape.of(kept.length)), 1);
    for (int i = 0; i < kept.length; i++) {
      move.move(kept[i], i);
    }
    IndexTensors.setVector(context, 1, kept);
  }

  /** An element of x is in y if it equals one that came before all of x. */
  private static long[] kept(KernelContext context, Tensor x, Tensor y) {
    try (Tensor both = context.allocate(x.type(), Shape.of(y.elementCount() + x.elementCount()))) {
      Moves.rows(1, y.elementCount(), y, 0, 0, both, 0, 0);
      Moves.rows(1, x.elementCount(), x, 0, 0, both, y.elementCount(), 0);
      Unique elements = new Unique(both);
      int inY = 0;
      for (int i = 0; i < y.elementCount(); i++) {
        inY = Math.max(inY, elements.numberOf(i) + 1);
      }
      long[] kept = new long[16];
      int count = 0;
      for (int i = 0; i < x.elementCount(); i++) {
        if (elements.numberOf((int) y.elementCount() + i) >= inY) {
          kept = count == kept.length ? Arrays.copyOf(kept, 2 * count) : kept;
          kept[count++] = i;
        }
      }
      return Arrays.copyOf(kept, count);
    }
  }

  private static Tensor requireVector(Tensor tensor, String what) {
    if (tensor.rank() != 1) {
      throw TributaryException.invalidArgument(
          "%s should be a 1D vector, got shape %s", what, tensor.shape());
    }
    return tensor;
  }
}
