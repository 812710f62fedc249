package dev.tributary.internal.kernel.loop;

/**
 * The folds behind TensorFlow's reductions and scans. What an empty reduction gives is each one's
 * neutral element.
 */
public final class Folds {
  public static final Fold SUM =
      Fold.of()
          .floats(0, (x, y) -> x + y)
          .doubles(0, (x, y) -> x + y)
          .ints(0, (x, y) -> x + y)
          .longs(0, (x, y) -> x + y)
          .complexes(Complex.ZERO, Complex::plus);

  public static final Fold PRODUCT =
      Fold.of()
          .floats(1, (x, y) -> x * y)
          .doubles(1, (x, y) -> x * y)
          .ints(1, (x, y) -> x * y)
          .longs(1, (x, y) -> x * y)
          .complexes(Complex.ONE, Complex::times);

  /** The greatest; a NaN wins, as it does in TensorFlow. */
  public static final Fold MAXIMUM =
      Fold.of()
          .floats(Float.NEGATIVE_INFINITY, Math::max)
          .doubles(Double.NEGATIVE_INFINITY, Math::max)
          .ints(Integer.MIN_VALUE, Math::max)
          .longs(Long.MIN_VALUE, Math::max);

  /** The least; a NaN wins, as it does in TensorFlow. */
  public static final Fold MINIMUM =
      Fold.of()
          .floats(Float.POSITIVE_INFINITY, Math::min)
          .doubles(Double.POSITIVE_INFINITY, Math::min)
          .ints(Integer.MAX_VALUE, Math::min)
          .longs(Long.MAX_VALUE, Math::min);

  public static final Fold ALL = Fold.of().booleans(true, (x, y) -> x & y);

  public static final Fold ANY = Fold.of().booleans(false, (x, y) -> x | y);

  /** The logarithm of the sum of exponentials. */
  public static final Fold LOG_SUM_EXP =
      Fold.of()
          .floats(Float.NEGATIVE_INFINITY, (x, y) -> (float) logSumExp(x, y))
          .doubles(Double.NEGATIVE_INFINITY, Folds::logSumExp);

  private Folds() {}

  private static double logSumExp(double x, double y) {
    double greater = Math.max(x, y);
    double less = Math.min(x, y);
    return greater == Double.NEGATIVE_INFINITY
        ? greater
        : greater + Math.log1p(Math.exp(less - greater));
  }
}
