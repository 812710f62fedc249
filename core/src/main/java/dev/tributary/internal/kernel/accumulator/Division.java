package dev.tributary.internal.kernel.accumulator;

import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.loop.CastLoop;
import dev.tributary.internal.kernel.math.Arithmetic;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** Makes means of sums. */
final class Division {
  private Division() {}

  /** {@code mean = sum / counts}, with broadcasting of the counts; {@code mean} may be the sum. */
  static void divide(KernelContext call, Tensor sum, int[] counts, Shape countShape, Tensor mean) {
    DataType type = sum.type();
    try (Tensor whole = Tensor.of(countShape, counts);
        Tensor divisors = call.allocate(type, countShape)) {
      CastLoop.run(
          DataType.INT32,
          whole.storage().address(),
          type,
          divisors.storage().address(),
          counts.length);
      call.device()
          .backend()
          .elementWise(
              Arithmetic.DIVIDE,
              type,
              Broadcast.of(sum.shape(), countShape),
              sum.storage().address(),
              divisors.storage().address(),
              mean.storage().address());
    }
  }
}
