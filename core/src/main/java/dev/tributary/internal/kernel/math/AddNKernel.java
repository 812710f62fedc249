package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Backend;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;

/** Sums any number of tensors of one shape, into the first one's storage where it may. */
public final class AddNKernel implements Kernel {
  private final DataType type;

  public AddNKernel(KernelNode node) {
    this.type = node.type();
    Arithmetic.ADD.requireSupport(type);
  }

  @Override
  public void compute(KernelContext context) {
    Tensor first = context.input(0);
    int count = context.inputCount();
    for (int i = 1; i < count; i++) {
      if (!context.input(i).shape().equals(first.shape())) {
        throw TributaryException.invalidArgument(
            "all inputs must have the same shape, but input 0 has %s and input %d has %s",
            first.shape(), i, context.input(i).shape());
      }
    }
    if (count == 1) {
      context.setOutput(0, first.retain());
      return;
    }
    Backend backend = context.device().backend();
    Broadcast walk = Broadcast.of(first.shape(), first.shape());
    long sum = first.storage().address();
    long out = context.forwardOrAllocate(0, 0, first.shape()).storage().address();
    for (int i = 1; i < count; i++) {
      backend.elementWise(
          Arithmetic.ADD, type, walk, sum, context.input(i).storage().address(), out);
      sum = out;
    }
  }
}
