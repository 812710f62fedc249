package dev.tributary.internal.kernel.random;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;

/**
 * Draws classes by the weights {@code exp(logit)} of each row of a matrix: the first class whose
 * running sum of weights passes a uniform share of the row's total. Logits that are not finite have
 * no weight; a row without any weight gives the number of classes.
 *
 * <p>The rows of one fill share one stream. Stock TensorFlow cuts large batches by its number of
 * threads and lets the pieces begin at overlapping places of the stream, so its draws for them
 * depend on the machine; this class gives what it gives on one thread. Sums are in double, whose
 * last bits stock rounds otherwise (its exponential is another): a draw would differ where it falls
 * that close to a boundary, about once in 10^15 draws.
 *
 * @param logits the element type of the logits: float, double, half or bfloat16
 * @param output the element type of the drawn classes: int32 or int64
 */
public record Multinomial(DataType logits, DataType output) {
  public Multinomial {
    if (!logits.isFloating()) {
      throw TributaryException.invalidArgument("logits cannot be of type %s", logits.lowerName());
    }
    if (output != DataType.INT32 && output != DataType.INT64) {
      throw TributaryException.invalidArgument(
          "drawn classes cannot be of type %s", output.lowerName());
    }
  }

  /**
   * The number that a stateful kernel passes to {@link GuardedPhilox#reserveOutputs} for one run;
   * nothing is reserved for no draws.
   */
  public static long outputs(int batch, int samples) {
    // In 32 bits, as TensorFlow multiplies, so that even a run which overflows leaves the same
    // state.
    int outputs = batch * ((samples + 3) / 4 * 4) * 2;
    return outputs;
  }

  /**
   * Writes {@code samples} classes for each row of the matrix at {@code logitsAddress}, row after
   * row.
   */
  public void fill(
      Philox source, long logitsAddress, int batch, int classes, int samples, long outputAddress) {
    final WordSource words = new WordSource(source);
    final double[] sums = new double[classes];
    for (int row = 0; row < batch; row++) {
      final long at = (long) row * samples;
      accumulate(logitsAddress + (long) row * classes * logits.size(), sums);
      final double total = sums[classes - 1];
      for (int i = 0; i < samples; i++) {
        put(outputAddress, at + i, firstAbove(sums, words.nextDouble() * total));
      }
    }
  }

  private void accumulate(long rowAddress, double[] sums) {
    double largest = -Double.MAX_VALUE;
    for (int i = 0; i < sums.length; i++) {
      sums[i] = logit(rowAddress, i);
      if (Double.isFinite(sums[i])) {
        largest = Math.max(largest, sums[i]);
      }
    }
    double total = 0;
    for (int i = 0; i < sums.length; i++) {
      if (Double.isFinite(sums[i])) {
        total += StrictMath.exp(sums[i] - largest);
      }
      sums[i] = total;
    }
  }

  private double logit(long rowAddress, int index) {
    return switch (logits) {
      case FLOAT -> Memory.getFloat(rowAddress + 4L * index);
      case DOUBLE -> Memory.getDouble(rowAddress + 8L * index);
      case BFLOAT16 -> Float.intBitsToFloat(Memory.getShort(rowAddress + 2L * index) << 16);
      default -> halfValue(Memory.getShort(rowAddress + 2L * index));
    };
  }

  private void put(long address, long index, int value) {
    if (output == DataType.INT32) {
      Memory.putInt(address + 4 * index, value);
    } else {
      Memory.putLong(address + 8 * index, value);
    }
  }

  /** The index of the first sum above {@code value}, or their number. */
  private static int firstAbove(double[] sums, double value) {
    int from = 0;
    int to = sums.length;
    while (from < to) {
      int middle = from + to >>> 1;
      if (value < sums[middle]) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return from;
  }

  private static double halfValue(short bits) {
    int exponent = bits >> 10 & 31;
    int mantissa = bits & 1023;
    double magnitude =
        exponent == 0
            ? mantissa * 0x1p-24
            : exponent == 31
                ? mantissa == 0 ? Double.POSITIVE_INFINITY : Double.NaN
                : Math.scalb(1024.0 + mantissa, exponent - 25);
    return bits < 0 ? -magnitude : magnitude;
  }
}
