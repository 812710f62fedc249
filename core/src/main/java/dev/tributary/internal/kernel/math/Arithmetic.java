package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Complex;

/**
 * The functions of two numbers. Integers wrap around; division of them by zero is an
 * ArithmeticException.
 */
public final class Arithmetic {
  public static final BinaryLoop ADD =
      BinaryLoop.of()
          .floats((x, y) -> x + y)
          .doubles((x, y) -> x + y)
          .ints((x, y) -> x + y)
          .longs((x, y) -> x + y)
          .complexes(Complex::plus);

  public static final BinaryLoop SUBTRACT =
      BinaryLoop.of()
          .floats((x, y) -> x - y)
          .doubles((x, y) -> x - y)
          .ints((x, y) -> x - y)
          .longs((x, y) -> x - y)
          .complexes(Complex::minus);

  public static final BinaryLoop MULTIPLY =
      BinaryLoop.of()
          .floats((x, y) -> x * y)
          .doubles((x, y) -> x * y)
          .ints((x, y) -> x * y)
          .longs((x, y) -> x * y)
          .complexes(Complex::times);

  /** Division of real numbers, which integers do not have. */
  public static final BinaryLoop REAL_DIVIDE =
      BinaryLoop.of()
          .floats((x, y) -> x / y)
          .doubles((x, y) -> x / y)
          .complexes(Complex::dividedBy);

  /** Division of real numbers which gives 0 where the divisor is 0. */
  public static final BinaryLoop DIVIDE_NO_NAN =
      BinaryLoop.of()
          .floats((x, y) -> y == 0 ? 0 : x / y)
          .doubles((x, y) -> y == 0 ? 0 : x / y)
          .complexes((x, y) -> y.isZero() ? Complex.ZERO : x.dividedBy(y));

  /** Division where integers are cut towards zero and real numbers are not. */
  public static final BinaryLoop DIVIDE = REAL_DIVIDE.ints((x, y) -> x / y).longs((x, y) -> x / y);

  /** Division where every quotient is cut towards zero. */
  public static final BinaryLoop TRUNCATE_DIVIDE =
      BinaryLoop.of()
          .floats((x, y) -> (float) truncate(x / y))
          .doubles((x, y) -> truncate(x / y))
          .ints((x, y) -> x / y)
          .longs((x, y) -> x / y);

  /** Division where every quotient is cut towards negative infinity. */
  public static final BinaryLoop FLOOR_DIVIDE =
      BinaryLoop.of()
          .floats((x, y) -> (float) Math.floor(x / y))
          .doubles((x, y) -> Math.floor(x / y))
          .ints(Math::floorDiv)
          .longs(Math::floorDiv);

  /** The remainder with the dividend's sign. */
  public static final BinaryLoop TRUNCATE_MODULO =
      BinaryLoop.of()
          .floats((x, y) -> x % y)
          .doubles((x, y) -> x % y)
          .ints((x, y) -> x % y)
          .longs((x, y) -> x % y);

  /** The remainder with the divisor's sign. */
  public static final BinaryLoop FLOOR_MODULO =
      BinaryLoop.of()
          .floats(
              (x, y) -> {
                float rest = x % y;
                return rest != 0 && y < 0 != rest < 0 ? rest + y : rest;
              })
          .doubles(
              (x, y) -> {
                double rest = x % y;
                return rest != 0 && y < 0 != rest < 0 ? rest + y : rest;
              })
          .ints(Math::floorMod)
          .longs((x, y) -> Math.floorMod(x, y));

  /** The greater one; a NaN wins. */
  public static final BinaryLoop MAXIMUM =
      BinaryLoop.of().floats(Math::max).doubles(Math::max).ints(Math::max).longs(Math::max);

  /** The lesser one; a NaN wins. */
  public static final BinaryLoop MINIMUM =
      BinaryLoop.of().floats(Math::min).doubles(Math::min).ints(Math::min).longs(Math::min);

  public static final BinaryLoop POWER =
      BinaryLoop.of()
          .floats((x, y) -> (float) power((double) x, y))
          .doubles(Arithmetic::power)
          .ints((x, y) -> (int) power((long) x, y))
          .longs(Arithmetic::power)
          .complexes(Complex::power);

  public static final BinaryLoop SQUARED_DIFFERENCE =
      BinaryLoop.of()
          .floats((x, y) -> (x - y) * (x - y))
          .doubles((x, y) -> (x - y) * (x - y))
          .ints((x, y) -> (x - y) * (x - y))
          .longs((x, y) -> (x - y) * (x - y))
          .complexes(Complex::squaredDistance);

  private Arithmetic() {}

  private static double truncate(double x) {
    return x < 0 ? Math.ceil(x) : Math.floor(x);
  }

  /** As C has it: 1 to any power, and -1 to an infinite one, is 1. */
  private static double power(double base, double exponent) {
    return base == 1 || base == -1 && Double.isInfinite(exponent) ? 1 : Math.pow(base, exponent);
  }

  /**
   * By repeated squaring; the lower bits are right also after an overflow, so that it serves all
   * integer types.
   */
  private static long power(long base, long exponent) {
    if (exponent < 0) {
      throw TributaryException.invalidArgument(
          "Integers to negative integer powers are not allowed");
    }
    long result = 1;
    for (long factor = base; exponent > 0; exponent >>= 1, factor *= factor) {
      result *= (exponent & 1) == 1 ? factor : 1;
    }
    return result;
  }
}
