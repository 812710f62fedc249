package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Complex;
import dev.tributary.internal.kernel.loop.Scalar;
import dev.tributary.internal.kernel.loop.UnaryLoop;

/** Angles and their hyperbolic relatives. Floats are computed as doubles. */
public final class Trigonometry {
  public static final UnaryLoop ASIN = of(Math::asin, x -> (float) Math.asin(x), Complex::asin);

  public static final UnaryLoop ACOS = of(Math::acos, x -> (float) Math.acos(x), Complex::acos);

  public static final UnaryLoop ATAN = of(Math::atan, x -> (float) Math.atan(x), Complex::atan);

  public static final UnaryLoop SINH = of(Math::sinh, x -> (float) Math.sinh(x), Complex::sinh);

  public static final UnaryLoop COSH = of(Math::cosh, x -> (float) Math.cosh(x), Complex::cosh);

  public static final UnaryLoop ASINH =
      of(Trigonometry::asinh, x -> (float) Trigonometry.asinh(x), Complex::asinh);

  public static final UnaryLoop ACOSH =
      of(Trigonometry::acosh, x -> (float) Trigonometry.acosh(x), Complex::acosh);

  public static final UnaryLoop ATANH =
      of(Trigonometry::atanh, x -> (float) Trigonometry.atanh(x), Complex::atanh);

  /** The angle of the point (x, y), of which y is given first. */
  public static final BinaryLoop ATAN2 =
      BinaryLoop.of().floats((y, x) -> (float) Math.atan2(y, x)).doubles(Math::atan2);

  private Trigonometry() {}

  private static UnaryLoop of(
      Scalar.DoubleUnary doubles, Scalar.FloatUnary floats, Scalar.ComplexUnary complexes) {
    return UnaryLoop.of().floats(floats).doubles(doubles).complexes(complexes);
  }

  private static double asinh(double x) {
    double magnitude = Math.abs(x);
    if (magnitude > 1e150) {
      return Math.copySign(Math.log(magnitude) + Math.log(2), x);
    }
    double square = magnitude * magnitude;
    return Math.copySign(Math.log1p(magnitude + square / (1 + Math.sqrt(1 + square))), x);
  }

  private static double acosh(double x) {
    double above = x - 1;
    return x > 1e150
        ? Math.log(x) + Math.log(2)
        : Math.log1p(above + Math.sqrt(2 * above + above * above));
  }

  private static double atanh(double x) {
    return 0.5 * (Math.log1p(x) - Math.log1p(-x));
  }
}
