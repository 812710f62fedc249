package dev.tributary.internal.kernel.random;

/**
 * The uniform transforms. Reals come from setting the mantissa of a number in [1, 2) and taking 1
 * away, so that a float is a multiple of 2^-23 though its word holds 32 bits.
 */
final class Uniform {
  private static final int FLOAT_ONE = 0x3f800000;
  private static final long DOUBLE_ONE = 0x3ff0000000000000L;

  private Uniform() {}

  static float toFloat(int word) {
    return Float.intBitsToFloat(FLOAT_ONE | word & 0x7fffff) - 1;
  }

  /** A double in [0, 1) from 20 bits of the first word and all of the second. */
  static double toDouble(int high, int low) {
    return Double.longBitsToDouble(DOUBLE_ONE | Philox.join(low, high & 0xfffff)) - 1;
  }

  /**
   * Floats made of the lowest {@code bits} bits of each word: as many as the mantissa of the final
   * type holds.
   */
  static BlockTransform reals(int bits) {
    return (words, count) -> {
      final int shift = 23 - bits;
      for (int i = 0; i < count; i++) {
        words[i] = Float.floatToRawIntBits(toFloat(words[i] << shift));
      }
    };
  }

  static void doubles(int[] words, int count) {
    for (int i = 0; i < count; i += 2) {
      put(words, i, Double.doubleToRawLongBits(toDouble(words[i], words[i + 1])));
    }
  }

  static BlockTransform ints(int low, int high) {
    final int range = high - low;
    return (words, count) -> {
      for (int i = 0; i < count; i++) {
        words[i] = low + Integer.remainderUnsigned(words[i], range);
      }
    };
  }

  static BlockTransform longs(long low, long high) {
    final long range = high - low;
    return (words, count) -> {
      for (int i = 0; i < count; i += 2) {
        put(words, i, low + Long.remainderUnsigned(Philox.join(words[i], words[i + 1]), range));
      }
    };
  }

  static void put(int[] words, int at, long value) {
    words[at] = (int) value;
    words[at + 1] = (int) (value >>> 32);
  }
}
