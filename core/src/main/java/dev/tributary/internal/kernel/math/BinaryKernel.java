package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.loop.LastBroadcast;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;

/**
 * Applies a function to pairs of elements of its two inputs, with broadcasting, in place where it
 * may.
 */
public final class BinaryKernel implements Kernel {
  private final BinaryLoop loop;
  private final DataType type;
  private final LastBroadcast broadcast = new LastBroadcast();

  private BinaryKernel(BinaryLoop loop, DataType type) {
    this.loop = loop;
    this.type = type;
    loop.requireSupport(type);
  }

  public static KernelFactory of(BinaryLoop loop) {
    return KernelFactory.ofLoop(loop, node -> new BinaryKernel(loop, node.inputTypes().get(0)));
  }

  /**
   * Applies a function of integers to the bits of the elements, which are as wide as {@code bits}.
   */
  public static Kernel ofBits(BinaryLoop loop, DataType bits) {
    return new BinaryKernel(loop, bits);
  }

  @Override
  public void compute(KernelContext context) {
    Tensor x = context.input(0);
    Tensor y = context.input(1);
    long left = x.storage().address();
    long right = y.storage().address();
    Broadcast walk = broadcast.of(x.shape(), y.shape());
    // An operand with as many elements as the result is not repeated, so it is read where the
    // result is written.
    int donor = context.canForward(0, 0, walk.result()) ? 0 : 1;
    Tensor z = context.forwardOrAllocate(donor, 0, walk.result());
    try {
      context.device().backend().elementWise(loop, type, walk, left, right, z.storage().address());
    } catch (ArithmeticException e) {
      throw TributaryException.invalidArgument("Integer division by zero");
    }
  }
}
