package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.loop.UnaryLoop;

/** Functions that are integrals of elementary ones. Floats go by doubles. */
public final class IntegralFunctions {
  public static final UnaryLoop DAWSN =
      UnaryLoop.of().floats(x -> (float) dawsn(x)).doubles(IntegralFunctions::dawsn);

  public static final UnaryLoop EXPINT =
      UnaryLoop.of().floats(x -> (float) expint(x)).doubles(IntegralFunctions::expint);

  public static final UnaryLoop SPENCE =
      UnaryLoop.of().floats(x -> (float) spence(x)).doubles(IntegralFunctions::spence);

  public static final UnaryLoop FRESNEL_SIN =
      UnaryLoop.of().floats(x -> (float) fresnel(x, false)).doubles(x -> fresnel(x, false));

  public static final UnaryLoop FRESNEL_COS =
      UnaryLoop.of().floats(x -> (float) fresnel(x, true)).doubles(x -> fresnel(x, true));

  private static final double EULER = 0.57721566490153286061;

  private IntegralFunctions() {}

  /**
   * Dawson's integral, {@code exp(-x^2)} times the integral of {@code exp(t^2)} from 0 to x: near 0
   * by its series, far away by its asymptotic one, and else by G. B. Rybicki, "Dawson's integral
   * and the sampling theorem" (1989).
   */
  private static double dawsn(double x) {
    double square = x * x;
    if (Math.abs(x) < 0.2) {
      double term = x;
      double sum = x;
      for (int i = 1; i < 12; i++) {
        term *= -2 * square / (2 * i + 1);
        sum += term;
      }
      return sum;
    }
    if (Math.abs(x) > 50) {
      return (1 + (1 + 1.5 / square) * 0.5 / square) * 0.5 / x;
    }
    double step = 0.2;
    long middle = 2 * Math.round(x / (2 * step)) + 1;
    double sum = 0;
    for (long n = middle - 70; n <= middle + 70; n += 2) {
      double distance = x - n * step;
      sum += Math.exp(-distance * distance) / n;
    }
    return sum / Math.sqrt(Math.PI);
  }

  /** The exponential integral Ei, by its series or the asymptotic one. */
  private static double expint(double x) {
    if (x <= 0 || Double.isNaN(x)) {
      return x == 0 ? Double.NEGATIVE_INFINITY : Double.NaN;
    }
    if (Double.isInfinite(x)) {
      return x;
    }
    double term = 1;
    double sum = 0;
    if (x < 40) {
      for (int k = 1; k < 200; k++) {
        term *= x / k;
        sum += term / k;
      }
      return EULER + Math.log(x) + sum;
    }
    for (int k = 1; k < 40 && term > 1e-17; k++) {
      sum += term;
      term *= k / x;
    }
    return Math.exp(x) / x * sum;
  }

  /** Spence's integral, the dilogarithm of {@code 1 - x}. */
  private static double spence(double x) {
    if (x < 0 || Double.isNaN(x)) {
      return Double.NaN;
    }
    if (x == 0) {
      return Math.PI * Math.PI / 6;
    }
    if (x > 1.5) {
      double logarithm = Math.log(x);
      return -0.5 * logarithm * logarithm - spence(1 / x);
    }
    if (x < 0.5) {
      return Math.PI * Math.PI / 6 - Math.log(x) * Math.log1p(-x) - spence(1 - x);
    }
    double z = 1 - x;
    double power = 1;
    double sum = 0;
    for (int k = 1; k < 60; k++) {
      power *= z;
      sum += power / ((double) k * k);
    }
    return sum;
  }

  /** The integral of the sine or cosine of {@code pi / 2 * t^2} from 0 to x. */
  private static double fresnel(double x, boolean cosine) {
    if (Double.isNaN(x)) {
      return x;
    }
    double size = Math.abs(x);
    double value = size < 1.5 ? fresnelSeries(size, cosine) : fresnelLimit(size, cosine);
    return Math.copySign(value, x);
  }

  private static double fresnelSeries(double x, boolean cosine) {
    double angle = Math.PI / 2 * x * x;
    double term = cosine ? x : x * angle;
    double sum = 0;
    for (int k = cosine ? 0 : 1; k < 120; k += 2) {
      sum += term / (2 * k + 1);
      term *= -angle * angle / ((k + 1) * (k + 2));
    }
    return sum;
  }

  /** By the auxiliary functions f and g, which tell how far the integral is from its limit. */
  private static double fresnelLimit(double x, boolean cosine) {
    double square = Math.PI * x * x;
    if (Double.isInfinite(square)) {
      return 0.5;
    }
    double[] auxiliary = x < 6 ? auxiliaryIntegrals(square) : auxiliarySeries(square);
    double f = auxiliary[0] / (Math.PI * x);
    double g = auxiliary[1] / (Math.PI * x);
    double sine = Math.sin(square / 2);
    double other = Math.cos(square / 2);
    return cosine ? 0.5 + f * sine - g * other : 0.5 - f * other - g * sine;
  }

  /** The asymptotic series of both functions, times {@code pi * x}. */
  private static double[] auxiliarySeries(double square) {
    double f = 0;
    double g = 0;
    double term = 1;
    for (int k = 0; k < 24 && Math.abs(term) > 1e-18; k += 2) {
      f += term;
      term *= (2 * k + 1) / square;
      g += term;
      term *= -(2 * k + 3) / square;
    }
    return new double[] {f, g};
  }

  /**
   * The same by the integrals of {@code exp(-square * s^2 / 2) / (1 + s^4)} and of {@code s^2}
   * times that: the trapezoidal rule is exact for such functions.
   */
  private static double[] auxiliaryIntegrals(double square) {
    double step = 0.05;
    double f = 0.5;
    double g = 0;
    for (int i = 1; square * i * i * step * step < 80; i++) {
      double s = i * step;
      double value = Math.exp(-square * s * s / 2) / (1 + s * s * s * s);
      f += value;
      g += s * s * value;
    }
    double scale = Math.sqrt(2 / Math.PI * square) * step;
    return new double[] {scale * f, scale * g};
  }
}
