package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Tensor;

/** Asks whether elements differ by less than a tolerance. */
public final class ApproximateEqualKernel implements Kernel {
  private final double tolerance;

  public ApproximateEqualKernel(KernelNode node) {
    RealElements.of(node.type());
    this.tolerance = node.attributes().real("tolerance");
  }

  @Override
  public void compute(KernelContext context) {
    Tensor x = context.input(0);
    Tensor y = context.input(1);
    if (!x.shape().equals(y.shape())) {
      throw TributaryException.invalidArgument(
          "x and y must have the same shape, got %s and %s", x.shape(), y.shape());
    }
    long out = context.allocateOutput(0, x.shape()).storage().address();
    for (long i = 0; i < x.elementCount(); i++) {
      Memory.putBoolean(out + i, Math.abs(Reals.at(x, i) - Reals.at(y, i)) < tolerance);
    }
  }
}
