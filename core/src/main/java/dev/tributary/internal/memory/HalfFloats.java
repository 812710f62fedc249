package dev.tributary.internal.memory;

/**
 * Conversions between float and the two 16-bit formats: float16 (IEEE binary16: 5 bits of exponent,
 * 10 of fraction) and bfloat16 (the upper half of a float). Narrowing rounds to nearest, ties to
 * even; every NaN stays a NaN.
 */
public final class HalfFloats {
  private static final float EXPONENT_SHIFT =
      0x1p112f; // from a half's bias of 15 to 127, denormals included
  private static final int HALF_INFINITY =
      0x1f << 23; // where it lies when the fractions are aligned
  private static final int HALF_OVERFLOW = 0x477f_f000; // 65520, the least that rounds to infinity
  private static final int HALF_NORMAL = 0x3880_0000; // 2^-14

  private HalfFloats() {}

  public static float halfToFloat(short half) {
    int sign = (half & 0x8000) << 16;
    int magnitude = (half & 0x7fff) << 13;
    int bits =
        magnitude < HALF_INFINITY
            ? Float.floatToRawIntBits(Float.intBitsToFloat(magnitude) * EXPONENT_SHIFT)
            : magnitude | 0x7f80_0000;
    return Float.intBitsToFloat(sign | bits);
  }

  public static short floatToHalf(float value) {
    int bits = Float.floatToRawIntBits(value);
    int sign = bits >>> 16 & 0x8000;
    int magnitude = bits & 0x7fff_ffff;
    if (magnitude > 0x7f80_0000) {
      return (short) (sign | 0x7e00 | magnitude >> 13 & 0x3ff);
    }
    if (magnitude >= HALF_OVERFLOW) {
      return (short) (sign | 0x7c00);
    }
    if (magnitude < HALF_NORMAL) {
      // At 0.5 a float's last bit is worth 2^-24, as a denormal half's: the addition itself rounds
      // to even.
      float aligned = Float.intBitsToFloat(magnitude) + 0.5f;
      return (short) (sign | Float.floatToRawIntBits(aligned) - 0x3f00_0000);
    }
    return (short) (sign | roundToEven(magnitude - (127 - 15 << 23), 13));
  }

  public static float bfloat16ToFloat(short bfloat) {
    return Float.intBitsToFloat(bfloat << 16);
  }

  public static short floatToBfloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    if ((bits & 0x7fff_ffff) > 0x7f80_0000) {
      return (short) (bits >>> 16 & 0x8000 | 0x7fc0);
    }
    return (short) roundToEven(bits, 16);
  }

  /**
   * Drops the lowest bits; what they were worth is rounded, and a carry runs on into the exponent
   * as it should.
   */
  private static int roundToEven(int bits, int dropped) {
    int even = bits >>> dropped & 1;
    return bits + (1 << dropped - 1) - 1 + even >>> dropped;
  }
}
