package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.loop.ArgReduction;
import dev.tributary.internal.kernel.loop.AxisWalk;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Finds where the greatest or the least element lies along the axis that the second input names.
 */
public final class ArgReduceKernel implements Kernel {
  private final boolean least;

  public ArgReduceKernel(boolean least) {
    this.least = least;
  }

  @Override
  public void compute(KernelContext context) {
    Tensor x = context.input(0);
    long axis = RowIndices.read(context.input(1), 0);
    AxisWalk walk = AxisWalk.of(x.shape(), axis);
    int at = (int) (axis < 0 ? axis + x.rank() : axis);
    if (walk.length() == 0) {
      throw TributaryException.invalidArgument(
          "Reduction axis %d is empty in shape %s", at, x.shape());
    }
    Shape kept = x.shape().slice(0, at).concatenate(x.shape().slice(at + 1, x.rank()));
    Tensor out = context.allocateOutput(0, kept);
    if (least) {
      ArgReduction.least(
          x.type(), x.storage().address(), out.type(), out.storage().address(), walk);
    } else {
      ArgReduction.greatest(
          x.type(), x.storage().address(), out.type(), out.storage().address(), walk);
    }
  }
}
