package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.CastLoop;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * A number of evenly spaced values, of which the first and the last are given; computed as doubles.
 */
public final class LinSpaceKernel implements Kernel {
  private final DataType type;

  public LinSpaceKernel(KernelNode node) {
    this.type = node.type();
    if (!type.isFloating()) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: real types", type.lowerName());
    }
  }

  @Override
  public void compute(KernelContext context) {
    long count = context.input(2).getIndex(0);
    if (count <= 0) {
      throw TributaryException.invalidArgument("Requires num > 0: %d", count);
    }
    double start = RangeKernel.real(context.input(0));
    double stop = RangeKernel.real(context.input(1));
    double step = (stop - start) / (count - 1);
    try (Tensor values = context.allocate(DataType.DOUBLE, Shape.of(count))) {
      Memory.putDouble(values.storage().address(), start);
      for (long i = 1; i < count; i++) {
        Memory.putDouble(
            values.storage().address() + 8 * i, i == count - 1 ? stop : start + step * i);
      }
      Tensor out = context.allocateOutput(0, values.shape());
      CastLoop.run(
          DataType.DOUBLE, values.storage().address(), type, out.storage().address(), count);
    }
  }
}
