package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.loop.Complex;
import dev.tributary.internal.kernel.loop.FloatSigmoid;
import dev.tributary.internal.kernel.loop.UnaryLoop;

/**
 * The functions of one number. Those of floats which the library has for doubles only are computed
 * as these are.
 */
public final class Functions {
  /**
   * Below this, rounding of 1 + x would show in a float; the first terms of the series are exact
   * enough there.
   */
  private static final double TINY = 1e-5;

  public static final UnaryLoop NEGATE =
      UnaryLoop.of()
          .floats(x -> -x)
          .doubles(x -> -x)
          .ints(x -> -x)
          .longs(x -> -x)
          .complexes(Complex::negate);

  public static final UnaryLoop ABSOLUTE =
      UnaryLoop.of().floats(Math::abs).doubles(Math::abs).ints(Math::abs).longs(Math::abs);

  public static final UnaryLoop SIGN =
      UnaryLoop.of()
          .floats(Math::signum)
          .doubles(Math::signum)
          .ints(Integer::signum)
          .longs(Long::signum)
          .complexes(Complex::sign);

  public static final UnaryLoop SQUARE =
      UnaryLoop.of()
          .floats(x -> x * x)
          .doubles(x -> x * x)
          .ints(x -> x * x)
          .longs(x -> x * x)
          .complexes(Complex::square);

  public static final UnaryLoop SQUARE_ROOT =
      UnaryLoop.of().floats(x -> (float) Math.sqrt(x)).doubles(Math::sqrt).complexes(Complex::sqrt);

  public static final UnaryLoop RECIPROCAL_SQUARE_ROOT =
      UnaryLoop.of()
          .floats(x -> (float) (1 / Math.sqrt(x)))
          .doubles(x -> 1 / Math.sqrt(x))
          .complexes(x -> x.sqrt().reciprocal());

  public static final UnaryLoop RECIPROCAL =
      UnaryLoop.of().floats(x -> 1 / x).doubles(x -> 1 / x).complexes(Complex::reciprocal);

  public static final UnaryLoop EXP =
      UnaryLoop.of().floats(x -> (float) Math.exp(x)).doubles(Math::exp).complexes(Complex::exp);

  public static final UnaryLoop EXPM1 =
      UnaryLoop.of().floats(Functions::expm1).doubles(Math::expm1).complexes(Complex::expm1);

  public static final UnaryLoop LOG =
      UnaryLoop.of().floats(x -> (float) Math.log(x)).doubles(Math::log).complexes(Complex::log);

  public static final UnaryLoop LOG1P =
      UnaryLoop.of().floats(Functions::log1p).doubles(Math::log1p).complexes(Complex::log1p);

  public static final UnaryLoop SIN =
      UnaryLoop.of().floats(x -> (float) Math.sin(x)).doubles(Math::sin).complexes(Complex::sin);

  public static final UnaryLoop COS =
      UnaryLoop.of().floats(x -> (float) Math.cos(x)).doubles(Math::cos).complexes(Complex::cos);

  public static final UnaryLoop TAN =
      UnaryLoop.of().floats(x -> (float) Math.tan(x)).doubles(Math::tan).complexes(Complex::tan);

  public static final UnaryLoop TANH =
      UnaryLoop.of().floats(FloatSigmoid.TANH).doubles(Math::tanh).complexes(Complex::tanh);

  public static final UnaryLoop SIGMOID =
      UnaryLoop.of()
          .floats(FloatSigmoid.LOGISTIC)
          .doubles(x -> 1 / (1 + Math.exp(-x)))
          .complexes(Complex::sigmoid);

  public static final UnaryLoop FLOOR =
      UnaryLoop.of().floats(x -> (float) Math.floor(x)).doubles(Math::floor);

  public static final UnaryLoop CEIL =
      UnaryLoop.of().floats(x -> (float) Math.ceil(x)).doubles(Math::ceil);

  /** To the nearest whole number, and to the even one of two. */
  public static final UnaryLoop ROUND =
      UnaryLoop.of()
          .floats(x -> (float) Math.rint(x))
          .doubles(Math::rint)
          .ints(x -> x)
          .longs(x -> x);

  public static final UnaryLoop ERF =
      UnaryLoop.of().floats(x -> (float) Erf.erf(x)).doubles(Erf::erf);

  public static final UnaryLoop IS_NAN =
      UnaryLoop.of().testFloats(x -> x != x).testDoubles(x -> x != x);

  public static final UnaryLoop IS_INF =
      UnaryLoop.of().testFloats(Float::isInfinite).testDoubles(Double::isInfinite);

  public static final UnaryLoop IS_FINITE =
      UnaryLoop.of().testFloats(Float::isFinite).testDoubles(Double::isFinite);

  public static final UnaryLoop NOT = UnaryLoop.of().booleans(x -> !x);

  private Functions() {}

  private static float expm1(float x) {
    double wide = x;
    return Math.abs(x) < TINY ? (float) (wide + wide * wide / 2) : (float) (Math.exp(wide) - 1);
  }

  private static float log1p(float x) {
    double wide = x;
    return Math.abs(x) < TINY ? (float) (wide - wide * wide / 2) : (float) Math.log(1 + wide);
  }
}
