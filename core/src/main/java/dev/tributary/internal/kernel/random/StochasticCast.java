package dev.tributary.internal.kernel.random;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;

/**
 * Rounds reals to integers at random: up with a chance that is the fraction, so that the mean
 * stays. What does not fit becomes the nearest integer that does, and what is no number 0. Each
 * fraction takes a block of the stream; whole numbers take none.
 */
public final class StochasticCast {
  private StochasticCast() {}

  /**
   * Casts input 0 to output 0.
   *
   * @param to int8, int16 or int32
   */
  public static void run(KernelContext context, Philox stream, DataType to) {
    Tensor input = context.input(0);
    Tensor output = context.allocateOutput(0, input.shape());
    boolean isWide = input.type() == DataType.DOUBLE;
    int[] block = new int[Philox.WORDS_PER_BLOCK];
    long greatest = greatest(to);
    for (long i = 0; i < input.elementCount(); i++) {
      double value = Reals.at(input, i);
      long rounded;
      if (Double.isNaN(value)) {
        rounded = 0;
      } else if (value >= greatest || value <= -greatest - 1 || Math.rint(value) == value) {
        rounded = (long) Math.max(-greatest - 1, Math.min(greatest, value));
      } else {
        stream.fill(block, 1);
        double chance = isWide ? Uniform.toDouble(block[0], block[1]) : Uniform.toFloat(block[0]);
        rounded = (long) Math.floor(value < 0 ? value + chance : value + 1 - chance);
      }
      IndexTensors.put(output, i, rounded);
    }
  }

  private static long greatest(DataType type) {
    return switch (type) {
      case INT8 -> Byte.MAX_VALUE;
      case INT16 -> Short.MAX_VALUE;
      case INT32 -> Integer.MAX_VALUE;
      default -> throw TributaryException.unimplemented("no kernel for type %s", type.lowerName());
    };
  }
}
