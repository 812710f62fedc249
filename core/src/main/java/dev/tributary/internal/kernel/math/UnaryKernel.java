package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.loop.UnaryLoop;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;

/** Applies a function to each element of its input, in place where it may. */
public final class UnaryKernel implements Kernel {
  private final UnaryLoop loop;
  private final DataType type;

  private UnaryKernel(UnaryLoop loop, DataType type) {
    this.loop = loop;
    this.type = type;
    loop.requireSupport(type);
  }

  public static KernelFactory of(UnaryLoop loop) {
    return KernelFactory.ofLoop(loop, node -> new UnaryKernel(loop, node.inputTypes().get(0)));
  }

  @Override
  public void compute(KernelContext context) {
    Tensor x = context.input(0);
    long address = x.storage().address();
    Tensor y = context.forwardOrAllocate(0, 0, x.shape());
    context
        .device()
        .backend()
        .elementWise(loop, type, y.elementCount(), address, y.storage().address());
  }
}
