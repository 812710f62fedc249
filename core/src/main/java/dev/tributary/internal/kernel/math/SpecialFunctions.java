package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Complex;
import dev.tributary.internal.kernel.loop.UnaryLoop;

/** Special functions, and products and quotients in which a zero wins. Floats go by doubles. */
public final class SpecialFunctions {
  public static final UnaryLoop LGAMMA =
      UnaryLoop.of().floats(x -> (float) lgamma(x)).doubles(SpecialFunctions::lgamma);

  public static final UnaryLoop DIGAMMA =
      UnaryLoop.of().floats(x -> (float) digamma(x)).doubles(SpecialFunctions::digamma);

  public static final BinaryLoop ZETA =
      BinaryLoop.of().floats((x, q) -> (float) zeta(x, q)).doubles(SpecialFunctions::zeta);

  public static final BinaryLoop POLYGAMMA =
      BinaryLoop.of()
          .floats((n, x) -> (float) polygamma(n, x))
          .doubles(SpecialFunctions::polygamma);

  public static final UnaryLoop ERFC =
      UnaryLoop.of().floats(x -> (float) erfc(x)).doubles(SpecialFunctions::erfc);

  public static final UnaryLoop NDTRI =
      UnaryLoop.of().floats(x -> (float) ndtri(x)).doubles(SpecialFunctions::ndtri);

  public static final UnaryLoop ERFINV =
      UnaryLoop.of().floats(x -> (float) erfinv(x)).doubles(SpecialFunctions::erfinv);

  public static final BinaryLoop XLOGY =
      BinaryLoop.of()
          .floats((x, y) -> x == 0 ? 0 : (float) (x * Math.log(y)))
          .doubles((x, y) -> x == 0 ? 0 : x * Math.log(y))
          .complexes((x, y) -> x.isZero() ? Complex.ZERO : x.times(y.log()));

  public static final BinaryLoop XLOG1PY =
      BinaryLoop.of()
          .floats((x, y) -> x == 0 ? 0 : (float) (x * Math.log1p(y)))
          .doubles((x, y) -> x == 0 ? 0 : x * Math.log1p(y))
          .complexes((x, y) -> x.isZero() ? Complex.ZERO : x.times(y.log1p()));

  public static final BinaryLoop XDIVY =
      BinaryLoop.of()
          .floats((x, y) -> x == 0 ? 0 : x / y)
          .doubles((x, y) -> x == 0 ? 0 : x / y)
          .complexes((x, y) -> x.isZero() ? Complex.ZERO : x.dividedBy(y));

  public static final BinaryLoop NEXT_AFTER =
      BinaryLoop.of()
          .floats((x, y) -> Math.nextAfter(x, y))
          .doubles((x, y) -> Math.nextAfter(x, y));

  /** The product, which is 0 where the second factor is 0 even if the first is not finite. */
  public static final BinaryLoop MUL_NO_NAN =
      BinaryLoop.of()
          .floats((x, y) -> y == 0 ? 0 : x * y)
          .doubles((x, y) -> y == 0 ? 0 : x * y)
          .complexes((x, y) -> y.isZero() ? Complex.ZERO : x.times(y));

  /** Lanczos' coefficients for g = 7. */
  private static final double[] LANCZOS = {
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
    -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
    1.5056327351493116e-7
  };

  /** The Bernoulli numbers B2, B4, ... each divided by the factorial of its index. */
  private static final double[] BERNOULLI = {
    1.0 / 12,
    -1.0 / 720,
    1.0 / 30240,
    -1.0 / 1209600,
    1.0 / 47900160,
    -691.0 / 1307674368000.0,
    1.0 / 74724249600.0,
    -3617.0 / 10670622842880000.0
  };

  private SpecialFunctions() {}

  public static double lgamma(double x) {
    if (Double.isInfinite(x)) {
      return Double.POSITIVE_INFINITY;
    }
    if (x <= 0 && x == Math.floor(x)) {
      return Double.POSITIVE_INFINITY;
    }
    if (x < 0.5) {
      return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - lgamma(1 - x);
    }
    double z = x - 1;
    double sum = LANCZOS[0];
    for (int i = 1; i < LANCZOS.length; i++) {
      sum += LANCZOS[i] / (z + i);
    }
    double t = z + 7.5;
    return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum);
  }

  static double digamma(double x) {
    if (x <= 0 && x == Math.floor(x)) {
      return Double.NaN;
    }
    if (x < 0) {
      return digamma(1 - x) - Math.PI / Math.tan(Math.PI * x);
    }
    double y = x;
    double sum = 0;
    while (y < 10) {
      sum -= 1 / y;
      y++;
    }
    double inverse = 1 / (y * y);
    double series =
        inverse
            * (1.0 / 12
                - inverse
                    * (1.0 / 120 - inverse * (1.0 / 252 - inverse * (1.0 / 240 - inverse / 132))));
    return sum + Math.log(y) - 0.5 / y - series;
  }

  /** Hurwitz' zeta function, by the first terms of its sum and Euler and Maclaurin's rest. */
  private static double zeta(double x, double q) {
    if (x == 1) {
      return Double.POSITIVE_INFINITY;
    }
    if (x < 1) {
      return Double.NaN;
    }
    if (q <= 0) {
      if (q == Math.floor(q)) {
        return x == Math.floor(x) && x % 2 == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
      }
      if (x != Math.floor(x)) {
        return Double.NaN;
      }
    }
    int terms = 12;
    double sum = 0;
    for (int i = 0; i < terms; i++) {
      sum += Math.pow(q + i, -x);
    }
    double end = q + terms;
    double power = Math.pow(end, -x);
    sum += power * end / (x - 1) + 0.5 * power;
    double factor = x;
    power /= end;
    for (int i = 0; i < BERNOULLI.length; i++) {
      sum += BERNOULLI[i] * factor * power;
      factor *= (x + 2 * i + 1) * (x + 2 * i + 2);
      power /= end * end;
    }
    return sum;
  }

  /** The derivative number {@code n} of the digamma function. */
  private static double polygamma(double n, double x) {
    if (n < 0 || n != Math.floor(n)) {
      return Double.NaN;
    }
    if (n == 0) {
      return digamma(x);
    }
    double sign = n % 2 == 0 ? -1 : 1;
    return sign * Math.exp(lgamma(n + 1)) * zeta(n + 1, x);
  }

  /** Computes 1 - erf(x); where little of 1 is left, by a continued fraction from its end. */
  private static double erfc(double x) {
    if (x < 2) {
      return 1 - Erf.erf(x);
    }
    double rest = x;
    for (int i = 60; i > 0; i--) {
      rest = x + 0.5 * i / rest;
    }
    return Math.exp(-x * x) / (Math.sqrt(Math.PI) * rest);
  }

  private static double erfinv(double x) {
    if (Math.abs(x) > 1) {
      return Double.NaN;
    }
    return ndtri((x + 1) / 2) / Math.sqrt(2);
  }

  /** The quantile of the standard normal distribution, by Wichura's rational approximations. */
  private static double ndtri(double p) {
    if (p <= 0 || p >= 1 || Double.isNaN(p)) {
      return p == 0 ? Double.NEGATIVE_INFINITY : p == 1 ? Double.POSITIVE_INFINITY : Double.NaN;
    }
    double q = p - 0.5;
    if (Math.abs(q) <= 0.425) {
      return q * NormalQuantile.central(0.180625 - q * q);
    }
    double r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p));
    double tail = r <= 5 ? NormalQuantile.middle(r - 1.6) : NormalQuantile.far(r - 5);
    return Math.copySign(tail, q);
  }
}
