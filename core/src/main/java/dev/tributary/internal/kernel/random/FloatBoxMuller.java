package dev.tributary.internal.kernel.random;

/**
 * Two normal floats from two words by the Box-Muller transform. The sine and cosine are those of
 * the GNU C library's {@code sincosf}, by its polynomials in double arithmetic, since one in eighty
 * of its results is not the nearest float.
 *
 * <p>Only 2^23 angles and as many radii can occur; for all of them the results are those of the
 * library in version 2.36, on processors with and without fused multiply-add.
 */
final class FloatBoxMuller {
  private static final double TWO_PI = 2 * Math.PI;
  private static final double HALF_PI = Math.PI / 2;
  private static final double QUADRANTS_PER_RADIAN = 0x1.45F306DC9C883p-1;

  /** Keeps the logarithm finite. */
  private static final float SMALLEST = 1.0e-7f;

  /** Up to here the angle is its own sine. */
  private static final float TINY = 0x1p-12f;

  private static final double C2 = -0x1.ffffffd0c621cp-2;
  private static final double C4 = 0x1.55553e1068f19p-5;
  private static final double C6 = -0x1.6c087e89a359dp-10;
  private static final double C8 = 0x1.99343027bf8c3p-16;
  private static final double S3 = -0x1.555545995a603p-3;
  private static final double S5 = 0x1.1107605230bc4p-7;
  private static final double S7 = -0x1.994eb3774cf24p-13;

  private FloatBoxMuller() {}

  static void transform(int[] words, int count) {
    for (int i = 0; i < count; i += 2) {
      final float u = Math.max(Uniform.toFloat(words[i]), SMALLEST);
      final float angle = (float) (TWO_PI * Uniform.toFloat(words[i + 1]));
      final float radius = (float) Math.sqrt(-2 * FloatLog.of(u));
      if (angle < TINY) {
        put(words, i, angle * radius, radius);
        continue;
      }
      final int quadrant = (int) (angle * QUADRANTS_PER_RADIAN + 0.5);
      final double x = angle - quadrant * HALF_PI;
      final double x2 = x * x;
      final double x3 = x * x2;
      final double x4 = x2 * x2;
      final float sine = (float) ((S7 * x2 + S5) * (x2 * x3) + (S3 * x3 + x));
      final float cosine = (float) ((C8 * x2 + C6) * (x2 * x4) + (C4 * x4 + (C2 * x2 + 1)));
      switch (quadrant & 3) {
        case 0 -> put(words, i, sine * radius, cosine * radius);
        case 1 -> put(words, i, cosine * radius, -sine * radius);
        case 2 -> put(words, i, -sine * radius, -cosine * radius);
        default -> put(words, i, -cosine * radius, sine * radius);
      }
    }
  }

  private static void put(int[] words, int at, float first, float second) {
    words[at] = Float.floatToRawIntBits(first);
    words[at + 1] = Float.floatToRawIntBits(second);
  }
}
