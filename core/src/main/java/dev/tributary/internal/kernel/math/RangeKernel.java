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
 * The numbers from a start by steps of a delta up to a limit, which is left out. Integers are
 * computed as longs and real numbers as doubles.
 */
public final class RangeKernel implements Kernel {
  private final DataType type;

  public RangeKernel(KernelNode node) {
    this.type = node.attributes().type("Tidx");
    if (!type.isInteger() && !type.isFloating()) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: numbers", type.lowerName());
    }
  }

  /** Returns how many integers the range has. */
  public static long count(long start, long limit, long delta) {
    requireDirection(delta == 0, delta > 0 ? start > limit : start < limit, start, limit, delta);
    long distance = Math.abs(limit - start);
    long step = Math.abs(delta);
    return distance / step + (distance % step == 0 ? 0 : 1);
  }

  private static long count(double start, double limit, double delta) {
    requireDirection(delta == 0, delta > 0 ? start > limit : start < limit, start, limit, delta);
    return (long) Math.ceil(Math.abs((limit - start) / delta));
  }

  @Override
  public void compute(KernelContext context) {
    for (int i = 0; i < 3; i++) {
      Shape shape = context.input(i).shape();
      if (shape.elementCount() != 1 || shape.rank() > 1) {
        throw TributaryException.invalidArgument(
            "input %d must be a scalar, got shape %s", i, shape);
      }
    }
    if (type.isInteger()) {
      computeIntegers(context);
    } else {
      computeReals(context);
    }
  }

  private void computeIntegers(KernelContext context) {
    long start = integer(context.input(0));
    long delta = integer(context.input(2));
    long count = count(start, integer(context.input(1)), delta);
    try (Tensor values = context.allocate(DataType.INT64, Shape.of(count))) {
      long at = values.storage().address();
      for (long i = 0; i < count; i++) {
        Memory.putLong(at + 8 * i, start + i * delta);
      }
      store(context, values);
    }
  }

  private void computeReals(KernelContext context) {
    double start = real(context.input(0));
    double delta = real(context.input(2));
    long count = count(start, real(context.input(1)), delta);
    try (Tensor values = context.allocate(DataType.DOUBLE, Shape.of(count))) {
      long at = values.storage().address();
      for (long i = 0; i < count; i++) {
        Memory.putDouble(at + 8 * i, start + i * delta);
      }
      store(context, values);
    }
  }

  private void store(KernelContext context, Tensor values) {
    Tensor out = context.allocateOutput(0, values.shape());
    CastLoop.run(
        values.type(),
        values.storage().address(),
        type,
        out.storage().address(),
        values.elementCount());
  }

  private static long integer(Tensor scalar) {
    try (Tensor wide = Tensor.allocate(DataType.INT64, Shape.scalar())) {
      CastLoop.run(
          scalar.type(), scalar.storage().address(), DataType.INT64, wide.storage().address(), 1);
      return wide.longValue();
    }
  }

  /** A scalar of any real type. */
  static double real(Tensor scalar) {
    try (Tensor wide = Tensor.allocate(DataType.DOUBLE, Shape.scalar())) {
      CastLoop.run(
          scalar.type(), scalar.storage().address(), DataType.DOUBLE, wide.storage().address(), 1);
      return wide.doubleValue();
    }
  }

  private static void requireDirection(
      boolean none, boolean wrong, Object start, Object limit, Object delta) {
    if (none) {
      throw TributaryException.invalidArgument("Requires delta != 0: %s", delta);
    }
    if (wrong) {
      throw TributaryException.invalidArgument(
          "Requires start <= limit when delta > 0, and start >= limit when delta < 0; got %s to %s"
              + " by %s",
          start, limit, delta);
    }
  }
}
