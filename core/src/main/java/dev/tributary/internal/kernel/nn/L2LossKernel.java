package dev.tributary.internal.kernel.nn;

import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** Half the sum of squares of all elements, added up in double. */
public final class L2LossKernel implements Kernel {
  private final DataType type;

  public L2LossKernel(KernelNode node) {
    type = node.type();
    ElementTypes.requireReal(type);
  }

  @Override
  public void compute(KernelContext context) {
    Tensor input = context.input(0);
    Tensor output = context.allocateOutput(0, Shape.scalar());
    if (type == DataType.FLOAT) {
      Memory.putFloat(
          output.storage().address(),
          (float) (floatSquares(input.storage().address(), input.elementCount()) / 2));
    } else {
      Memory.putDouble(
          output.storage().address(),
          doubleSquares(input.storage().address(), input.elementCount()) / 2);
    }
  }

  /** Four sums, since one would make each addition wait for the last. */
  private static double floatSquares(long address, long count) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    long i = 0;
    for (; i + 4 <= count; i += 4) {
      final double x0 = Memory.getFloat(address + 4 * i);
      final double x1 = Memory.getFloat(address + 4 * i + 4);
      final double x2 = Memory.getFloat(address + 4 * i + 8);
      final double x3 = Memory.getFloat(address + 4 * i + 12);
      s0 += x0 * x0;
      s1 += x1 * x1;
      s2 += x2 * x2;
      s3 += x3 * x3;
    }
    for (; i < count; i++) {
      final double x = Memory.getFloat(address + 4 * i);
      s0 += x * x;
    }
    return s0 + s1 + s2 + s3;
  }

  private static double doubleSquares(long address, long count) {
    double sum = 0;
    for (long i = 0; i < count; i++) {
      final double x = Memory.getDouble(address + 8 * i);
      sum += x * x;
    }
    return sum;
  }
}
