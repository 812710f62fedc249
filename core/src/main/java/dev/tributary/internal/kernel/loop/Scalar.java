package dev.tributary.internal.kernel.loop;

/**
 * The functions of single elements that loops are made of. The carriers are float, double, int,
 * long, boolean and complex; narrower types are widened to one of these (see {@link Carrier}).
 * Functions must be free of state: many threads call them.
 */
public final class Scalar {
  private Scalar() {}

  public interface FloatUnary {
    float apply(float x);
  }

  public interface DoubleUnary {
    double apply(double x);
  }

  public interface IntUnary {
    int apply(int x);
  }

  public interface LongUnary {
    long apply(long x);
  }

  public interface BooleanUnary {
    boolean apply(boolean x);
  }

  public interface FloatBinary {
    float apply(float x, float y);
  }

  public interface DoubleBinary {
    double apply(double x, double y);
  }

  public interface IntBinary {
    int apply(int x, int y);
  }

  public interface LongBinary {
    long apply(long x, long y);
  }

  public interface BooleanBinary {
    boolean apply(boolean x, boolean y);
  }

  public interface ComplexUnary {
    Complex apply(Complex x);
  }

  public interface ComplexBinary {
    Complex apply(Complex x, Complex y);
  }

  public interface FloatTest {
    boolean test(float x);
  }

  public interface DoubleTest {
    boolean test(double x);
  }

  public interface FloatComparison {
    boolean test(float x, float y);
  }

  public interface DoubleComparison {
    boolean test(double x, double y);
  }

  public interface IntComparison {
    boolean test(int x, int y);
  }

  public interface LongComparison {
    boolean test(long x, long y);
  }

  public interface ComplexComparison {
    boolean test(Complex x, Complex y);
  }
}
