package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The regularized incomplete beta function of inputs a, b and x, which have the same shape unless
 * they are scalars. By its continued fraction.
 */
public final class IncompleteBeta implements Kernel {
  private static final int TERMS = 10000;
  private static final double PRECISION = 1e-16;
  private static final double TINY = 1e-300;

  @Override
  public void compute(KernelContext context) {
    Tensor a = context.input(0);
    Tensor b = context.input(1);
    Tensor x = context.input(2);
    Shape shape = common(common(a.shape(), b.shape()), x.shape());
    Tensor output = context.allocateOutput(0, shape);
    for (long i = 0; i < output.elementCount(); i++) {
      Reals.put(output, i, beta(at(a, i), at(b, i), at(x, i)));
    }
  }

  private static double at(Tensor tensor, long i) {
    return Reals.at(tensor, tensor.rank() == 0 ? 0 : i);
  }

  /** The shape of two inputs; fails if they differ and neither is a scalar. */
  public static Shape common(Shape left, Shape right) {
    if (left.hasRank() && left.rank() == 0) {
      return right;
    }
    if (right.hasRank() && right.rank() == 0) {
      return left;
    }
    if (!left.isCompatibleWith(right)) {
      throw TributaryException.invalidArgument(
          "Shapes of a, b and x must match unless they are scalars, got %s and %s", left, right);
    }
    return left.merge(right);
  }

  private static double beta(double a, double b, double x) {
    if (!(a > 0) || !(b > 0) || !(x >= 0) || x > 1) {
      return Double.NaN;
    }
    if (x == 0 || x == 1) {
      return x;
    }
    double scale =
        Math.exp(
            SpecialFunctions.lgamma(a + b)
                - SpecialFunctions.lgamma(a)
                - SpecialFunctions.lgamma(b)
                + a * Math.log(x)
                + b * Math.log1p(-x));
    // The fraction converges quickly on this side of the distribution's mean.
    return x < (a + 1) / (a + b + 2)
        ? scale * fraction(a, b, x) / a
        : 1 - scale * fraction(b, a, 1 - x) / b;
  }

  /** By Lentz's method. */
  private static double fraction(double a, double b, double x) {
    double c = 1;
    double d = 1 / notZero(1 - (a + b) * x / (a + 1));
    double value = d;
    for (int m = 1; m < TERMS; m++) {
      double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
      d = 1 / notZero(1 + even * d);
      c = notZero(1 + even / c);
      value *= d * c;
      double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 / notZero(1 + odd * d);
      c = notZero(1 + odd / c);
      value *= d * c;
      if (Math.abs(d * c - 1) <= PRECISION) {
        break;
      }
    }
    return value;
  }

  private static double notZero(double x) {
    return Math.abs(x) < TINY ? TINY : x;
  }
}
