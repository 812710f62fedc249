package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.loop.SelectLoop;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/**
 * Takes elements from its second input where the first is true and from its third elsewhere. All
 * three are broadcast; or, in the older form, both choices have one shape, and the condition the
 * same, or it is a scalar, or a vector that chooses rows.
 */
public final class SelectKernel implements Kernel {
  private final boolean broadcasting;

  public SelectKernel(boolean broadcasting) {
    this.broadcasting = broadcasting;
  }

  @Override
  public void compute(KernelContext context) {
    Tensor condition = context.input(0);
    Tensor then = context.input(1);
    Tensor otherwise = context.input(2);
    Shape seen =
        broadcasting
            ? condition.shape()
            : rowCondition(condition.shape(), then.shape(), otherwise.shape());
    Broadcast walk = Broadcast.of(seen, then.shape(), otherwise.shape());
    if (then.type().isObject()) {
      Tensor out = context.allocateOutput(0, walk.result());
      SelectLoop.run(
          condition.storage().address(), then.objects(), otherwise.objects(), out.objects(), walk);
    } else {
      long thens = then.storage().address();
      long otherwises = otherwise.storage().address();
      int donor = context.canForward(1, 0, walk.result()) ? 1 : 2;
      Tensor out = context.forwardOrAllocate(donor, 0, walk.result());
      SelectLoop.run(
          then.type(),
          condition.storage().address(),
          thens,
          otherwises,
          out.storage().address(),
          walk);
    }
  }

  /**
   * The condition's shape as it must be for broadcasting: a vector gets a 1 for each dimension of a
   * row.
   */
  private static Shape rowCondition(Shape condition, Shape then, Shape otherwise) {
    if (!then.equals(otherwise)) {
      throw TributaryException.invalidArgument(
          "both choices must have one shape, got %s and %s", then, otherwise);
    }
    if (condition.isScalar() || condition.equals(then)) {
      return condition;
    }
    if (condition.rank() != 1 || then.isScalar() || condition.size(0) != then.size(0)) {
      throw TributaryException.invalidArgument(
          "the condition must be a scalar, a vector with an element a row, or of the choices'"
              + " shape; got %s for %s",
          condition, then);
    }
    long[] sizes = new long[then.rank()];
    Arrays.fill(sizes, 1);
    sizes[0] = condition.size(0);
    return Shape.of(sizes);
  }
}
