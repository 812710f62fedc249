package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.loop.BinaryLoop;

/**
 * The regularized incomplete gamma functions and their slopes by the first argument: by a series
 * where x is small, and else by a continued fraction. Floats go by doubles.
 */
public final class IncompleteGamma {
  public static final BinaryLoop LOWER =
      BinaryLoop.of().floats((a, x) -> (float) lower(a, x)).doubles(IncompleteGamma::lower);

  public static final BinaryLoop UPPER =
      BinaryLoop.of().floats((a, x) -> (float) upper(a, x)).doubles(IncompleteGamma::upper);

  /** The slope of the lower function by its first argument. */
  public static final BinaryLoop SLOPE =
      BinaryLoop.of().floats((a, x) -> (float) slope(a, x)).doubles(IncompleteGamma::slope);

  /** The slope of a random number x of the gamma distribution by its parameter. */
  public static final BinaryLoop SAMPLE_SLOPE =
      BinaryLoop.of()
          .floats((a, x) -> (float) sampleSlope(a, x))
          .doubles(IncompleteGamma::sampleSlope);

  private static final int TERMS = 20000;
  private static final double PRECISION = 1e-16;

  /** Numerators and denominators above this are scaled down. */
  private static final double LARGE = 0x1p52;

  private IncompleteGamma() {}

  private static double lower(double a, double x) {
    if (!(a > 0) || !(x >= 0)) {
      return Double.NaN;
    }
    if (x == 0 || Double.isInfinite(x)) {
      return x == 0 ? 0 : 1;
    }
    return x > 1 && x > a ? 1 - fraction(a, x)[0] : series(a, x)[0];
  }

  private static double upper(double a, double x) {
    if (!(a > 0) || !(x >= 0)) {
      return Double.NaN;
    }
    if (x == 0 || Double.isInfinite(x)) {
      return x == 0 ? 1 : 0;
    }
    return x > 1 && x > a ? fraction(a, x)[0] : 1 - series(a, x)[0];
  }

  private static double slope(double a, double x) {
    if (!(a > 0) || !(x >= 0)) {
      return Double.NaN;
    }
    if (x == 0 || Double.isInfinite(x)) {
      return 0;
    }
    return x > 1 && x > a ? -fraction(a, x)[1] : series(a, x)[1];
  }

  private static double sampleSlope(double a, double x) {
    if (x == 0) {
      return 0;
    }
    double density = Math.exp((a - 1) * Math.log(x) - x - SpecialFunctions.lgamma(a));
    return -slope(a, x) / density;
  }

  /** The lower function and its slope by a. */
  private static double[] series(double a, double x) {
    double term = 1;
    double slope = 0;
    double sum = 1;
    double slopes = 0;
    double n = a;
    for (int i = 0; i < TERMS && Math.abs(slope) + term > PRECISION * Math.abs(slopes); i++) {
      n++;
      double factor = x / n;
      slope = slope * factor - term * factor / n;
      term *= factor;
      sum += term;
      slopes += slope;
    }
    double logarithm = Math.log(x);
    double scale = Math.exp(a * logarithm - x - SpecialFunctions.lgamma(a + 1));
    double ofScale = logarithm - SpecialFunctions.digamma(a + 1);
    return new double[] {sum * scale, scale * (slopes + sum * ofScale)};
  }

  /** The upper function and its slope by a. */
  private static double[] fraction(double a, double x) {
    double z = x + 2 - a;
    // Numerators and denominators of the last two convergents, and their slopes.
    double p = x + 1;
    double lastP = 1;
    double q = z * x;
    double lastQ = x;
    double slopeP = 0;
    double lastSlopeP = 0;
    double slopeQ = -x;
    double lastSlopeQ = 0;
    double value = p / q;
    double slope = (slopeP - value * slopeQ) / q;
    for (int i = 1; i < TERMS; i++) {
      z += 2;
      double y = (i + 1 - a) * i;
      double nextP = p * z - lastP * y;
      double nextQ = q * z - lastQ * y;
      double nextSlopeP = slopeP * z - p - lastSlopeP * y + lastP * i;
      double nextSlopeQ = slopeQ * z - q - lastSlopeQ * y + lastQ * i;
      double scale = Math.abs(nextP) > LARGE ? 1 / LARGE : 1;
      lastP = p * scale;
      lastQ = q * scale;
      lastSlopeP = slopeP * scale;
      lastSlopeQ = slopeQ * scale;
      p = nextP * scale;
      q = nextQ * scale;
      slopeP = nextSlopeP * scale;
      slopeQ = nextSlopeQ * scale;
      if (q != 0) {
        double before = value;
        double slopeBefore = slope;
        value = p / q;
        slope = (slopeP - value * slopeQ) / q;
        if (Math.abs(value - before) <= PRECISION * Math.abs(value)
            && Math.abs(slope - slopeBefore) <= PRECISION * Math.abs(slope)) {
          break;
        }
      }
    }
    double logarithm = Math.log(x);
    double scale = Math.exp(a * logarithm - x - SpecialFunctions.lgamma(a));
    double ofScale = logarithm - SpecialFunctions.digamma(a);
    return new double[] {value * scale, scale * (slope + value * ofScale)};
  }
}
