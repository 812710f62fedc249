package dev.tributary.internal.kernel.random;

/**
 * The natural logarithm of positive normal floats as the GNU C library's {@code logf} gives it: not
 * the nearest float in one case of a hundred, so its own approximation is followed, with {@code x =
 * 2^k z} and {@code log(x) = k log 2 + log c + log(z/c)} for the {@code c} of the sixteenth of
 * [0.699, 1.398) that holds {@code z}.
 */
final class FloatLog {
  private static final int LOWEST = 0x3f330000;
  private static final double LOG_2 = 0x1.62e42fefa39efp-1;

  private static final double P4 = -0x1.00ea348b88334p-2;
  private static final double P3 = 0x1.5575b0be00b6ap-2;
  private static final double P2 = -0x1.ffffef20a4123p-2;

  /** 1/c for each sixteenth. */
  private static final double[] RECIPROCAL = {
    0x1.661ec79f8f3bep+0, 0x1.571ed4aaf883dp+0, 0x1.49539f0f010b0p+0, 0x1.3c995b0b80385p+0,
    0x1.30d190c8864a5p+0, 0x1.25e227b0b8ea0p+0, 0x1.1bb4a4a1a343fp+0, 0x1.12358f08ae5bap+0,
    0x1.0953f419900a7p+0, 0x1.0000000000000p+0, 0x1.e608cfd9a47acp-1, 0x1.ca4b31f026aa0p-1,
    0x1.b2036576afce6p-1, 0x1.9c2d163a1aa2dp-1, 0x1.886e6037841edp-1, 0x1.767dcf5534862p-1,
  };

  private static final double[] LOG = new double[RECIPROCAL.length];

  static {
    for (int i = 0; i < LOG.length; i++) {
      LOG[i] = -StrictMath.log(RECIPROCAL[i]);
    }
  }

  private FloatLog() {}

  static float of(float x) {
    final int bits = Float.floatToRawIntBits(x);
    final int above = bits - LOWEST;
    final int sixteenth = above >>> 19 & 15;
    final double z = Float.intBitsToFloat(bits - (above & 0xff800000));
    final double r = z * RECIPROCAL[sixteenth] - 1;
    final double r2 = r * r;
    return (float) ((P4 * r2 + (P3 * r + P2)) * r2 + ((above >> 23) * LOG_2 + LOG[sixteenth] + r));
  }
}
