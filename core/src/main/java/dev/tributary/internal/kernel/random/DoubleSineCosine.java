package dev.tributary.internal.kernel.random;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * The sine and cosine which the GNU C library's {@code sincos} gives on processors with fused
 * multiply-add, of angles from 0 to 2 pi. Both come from the table of the nearest multiple of 1/128
 * and short polynomials of the rest; they are within 0.55 units in the last place, hence not always
 * the nearest double, so the order of every rounding is the library's.
 *
 * <p>{@link #reduce} takes the angle; {@link #sine} and {@link #cosine} are then its values.
 * Confined to one thread.
 */
final class DoubleSineCosine {
  /** Adding it leaves the nearest multiple of 1/128 of a small number in its last bits. */
  private static final double TO_128TH = 0x1.8p45;

  private static final double TO_INTEGER = 0x1.8p52;
  private static final double QUADRANTS_PER_RADIAN = 0x1.45F306DC9C883p-1;

  /** pi/2 in two parts, and in four of which the first three leave room for a small factor. */
  private static final double HALF_PI = 0x1.921fb54442d18p0;

  private static final double HALF_PI_REST = 0x1.1a62633145c07p-54;
  private static final double HALF_PI_1 = 0x1.921fb58p0;
  private static final double HALF_PI_2 = -0x1.dde973cp-27;
  private static final double HALF_PI_3 = -0x1.cb3b398p-55;
  private static final double HALF_PI_4 = -0x1.d747f23e32ed7p-83;

  private static final double TINY = 0x1p-27;
  private static final double FIRST_TO = upTo(0x3feb6000);
  private static final double SECOND_TO = upTo(0x400368fd);

  private static final double S3 = -0x1.5555555555515p-3;
  private static final double S5 = 0x1.11110e829872fp-7;
  private static final double C2 = 0.5;
  private static final double C4 = -0x1.5555555555535p-5;
  private static final double C6 = 0x1.6c16bedd9e239p-10;

  /** Below this the sine needs no table, and its longer polynomial applies. */
  private static final double NO_TABLE = 0.126;

  private static final double T3 = -0x1.5555555555555p-3;
  private static final double T5 = 0x1.1111111110ecep-7;
  private static final double T7 = -0x1.a01a019db08b8p-13;
  private static final double T9 = 0x1.71de27b9a7ed9p-19;
  private static final double T11 = -0x1.addffc2fcdf59p-26;

  /**
   * For each 128th up to 109: its sine and what the double leaves out, its cosine and what the
   * double leaves out.
   */
  private static final double[] TABLE = table(110);

  private double sine;
  private double cosine;

  double sine() {
    return sine;
  }

  double cosine() {
    return cosine;
  }

  void reduce(double angle) {
    if (angle < TINY) {
      sine = angle;
      cosine = 1;
    } else if (angle < FIRST_TO) {
      sine = sineOf(angle, 0);
      cosine = cosineOf(angle, 0);
    } else if (angle < SECOND_TO) {
      final double first = HALF_PI - angle;
      final double x = first + HALF_PI_REST;
      final double rest = first - x + HALF_PI_REST;
      sine = cosineOf(x, rest);
      cosine = sineOf(x, rest);
    } else {
      byQuadrant(angle);
    }
  }

  private void byQuadrant(double angle) {
    final double shifted = Math.fma(angle, QUADRANTS_PER_RADIAN, TO_INTEGER);
    final double n = shifted - TO_INTEGER;
    final double y = Math.fma(-n, HALF_PI_2, Math.fma(-n, HALF_PI_1, angle));
    final double y3 = Math.fma(-n, HALF_PI_3, y);
    final double rest3 = Math.fma(-n, HALF_PI_3, y - y3);
    final double x = Math.fma(-n, HALF_PI_4, y3);
    final double rest = rest3 + Math.fma(-n, HALF_PI_4, y3 - x);
    switch ((int) n & 3) {
      case 0 -> {
        sine = sineOf(x, rest);
        cosine = cosineOf(x, rest);
      }
      case 1 -> {
        cosine = sineOf(-x, -rest);
        sine = cosineOf(-x, -rest);
      }
      case 2 -> {
        sine = sineOf(-x, -rest);
        cosine = -cosineOf(-x, -rest);
      }
      default -> {
        cosine = sineOf(x, rest);
        sine = -cosineOf(x, rest);
      }
    }
  }

  /** The sine of {@code x + rest}. */
  private static double sineOf(double x, double rest) {
    final double magnitude = Math.abs(x);
    if (magnitude < NO_TABLE) {
      return shortSine(x, rest);
    }
    final double e = x <= 0 ? -rest : rest;
    final double shifted = TO_128TH + magnitude;
    final double y = magnitude - (shifted - TO_128TH);
    final int at = 4 * (int) Double.doubleToRawLongBits(shifted);
    final double y2 = y * y;
    final double s = y + Math.fma(y * y2, Math.fma(y2, S5, S3), e);
    final double c = Math.fma(y, e, y2 * Math.fma(Math.fma(y2, C6, C4), y2, C2));
    final double low = Math.fma(-TABLE[at], c, Math.fma(s, TABLE[at + 3], TABLE[at + 1]));
    return Math.copySign(TABLE[at] + Math.fma(s, TABLE[at + 2], low), x);
  }

  private static double shortSine(double x, double rest) {
    final double x2 = x * x;
    final double p = Math.fma(Math.fma(Math.fma(Math.fma(T11, x2, T9), x2, T7), x2, T5), x2, T3);
    return x + Math.fma(x2, Math.fma(p, x, -0.5 * rest), rest);
  }

  /** The cosine of {@code x + rest}. */
  private static double cosineOf(double x, double rest) {
    final double magnitude = Math.abs(x);
    final double shifted = TO_128TH + magnitude;
    final double y = magnitude - (shifted - TO_128TH) + (x < 0 ? -rest : rest);
    final int at = 4 * (int) Double.doubleToRawLongBits(shifted);
    final double y2 = y * y;
    final double s = Math.fma(y * y2, Math.fma(y2, S5, S3), y);
    final double c = y2 * Math.fma(Math.fma(y2, C6, C4), y2, C2);
    final double low = Math.fma(-TABLE[at + 2], c, Math.fma(-s, TABLE[at + 1], TABLE[at + 3]));
    return TABLE[at + 2] + Math.fma(-s, TABLE[at], low);
  }

  /** The smallest double with this high word: the library chooses its branch by high words. */
  private static double upTo(int highWord) {
    return Double.longBitsToDouble((long) highWord << 32);
  }

  private static double[] table(int entries) {
    double[] table = new double[4 * entries];
    MathContext digits = new MathContext(50);
    for (int k = 0; k < entries; k++) {
      BigDecimal x = BigDecimal.valueOf(k).divide(BigDecimal.valueOf(128));
      BigDecimal minusSquare = x.multiply(x).negate();
      BigDecimal sineTerm = x;
      BigDecimal cosineTerm = BigDecimal.ONE;
      BigDecimal sine = sineTerm;
      BigDecimal cosine = cosineTerm;
      for (int n = 1; n < 20; n++) {
        cosineTerm =
            cosineTerm
                .multiply(minusSquare)
                .divide(BigDecimal.valueOf(2L * n * (2L * n - 1)), digits);
        sineTerm =
            sineTerm
                .multiply(minusSquare)
                .divide(BigDecimal.valueOf(2L * n * (2L * n + 1)), digits);
        cosine = cosine.add(cosineTerm);
        sine = sine.add(sineTerm);
      }
      split(sine, table, 4 * k);
      split(cosine, table, 4 * k + 2);
    }
    return table;
  }

  private static void split(BigDecimal value, double[] table, int at) {
    table[at] = value.doubleValue();
    table[at + 1] = value.subtract(new BigDecimal(table[at])).doubleValue();
  }
}
