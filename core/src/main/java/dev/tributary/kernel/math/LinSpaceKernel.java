package dev.tributary.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.kernel.Kernel;
import dev.tributary.kernel.KernelContext;
import dev.tributary.kernel.KernelNode;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** A number of evenly spaced values, of which the first and the last are given. */
public final class LinSpaceKernel implements Kernel {
  private final DataType type;

  public LinSpaceKernel(KernelNode node) {
    this.type = node.type();
    if (type != DataType.FLOAT && type != DataType.DOUBLE) {
      throw TributaryException.unimplemented("no kernel for type %s; supported: float, double", type.lowerName());
    }
  }

  @Override
  public void compute(KernelContext context) {
    long count = context.input(2).getIndex(0);
    if (count <= 0) {
      throw TributaryException.invalidArgument("Requires num > 0: %d", count);
    }
    Tensor out = context.allocateOutput(0, Shape.of(count));
    if (type == DataType.FLOAT) {
      fill(context.input(0).getFloat(0), context.input(1).getFloat(0), count, out.address());
    } else {
      fill(context.input(0).getDouble(0), context.input(1).getDouble(0), count, out.address());
    }
  }

  private static void fill(float start, float stop, long count, long out) {
    float step = (stop - start) / (count - 1);
    Memory.putFloat(out, start);
    for (long i = 1; i < count; i++) {
      Memory.putFloat(out + 4 * i, i == count - 1 ? stop : start + step * i);
    }
  }

  private static void fill(double start, double stop, long count, long out) {
    double step = (stop - start) / (count - 1);
    Memory.putDouble(out, start);
    for (long i = 1; i < count; i++) {
      Memory.putDouble(out + 8 * i, i == count - 1 ? stop : start + step * i);
    }
  }
}
