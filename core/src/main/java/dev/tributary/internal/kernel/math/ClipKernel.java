package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Cuts elements to lie between a lower and an upper bound, each a scalar or a tensor of the same
 * shape.
 */
public final class ClipKernel implements Kernel {
  private final DataType type;

  public ClipKernel(KernelNode node) {
    this.type = node.type();
    Arithmetic.MAXIMUM.requireSupport(type);
  }

  @Override
  public void compute(KernelContext context) {
    Tensor x = context.input(0);
    Tensor low = bound(context, 1, "clip_value_min");
    Tensor high = bound(context, 2, "clip_value_max");
    Shape shape = x.shape();
    long in = x.storage().address();
    long out = context.forwardOrAllocate(0, 0, shape).storage().address();
    Arithmetic.MINIMUM.run(
        type, in, high.storage().address(), out, Broadcast.of(shape, high.shape()));
    Arithmetic.MAXIMUM.run(
        type, out, low.storage().address(), out, Broadcast.of(shape, low.shape()));
  }

  private static Tensor bound(KernelContext context, int input, String name) {
    Tensor bound = context.input(input);
    if (!bound.shape().isScalar() && !bound.shape().equals(context.input(0).shape())) {
      throw TributaryException.invalidArgument(
          "%s must be a scalar or have the shape of the values, %s; got %s",
          name, context.input(0).shape(), bound.shape());
    }
    return bound;
  }
}
