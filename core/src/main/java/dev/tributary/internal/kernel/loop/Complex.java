package dev.tributary.internal.kernel.loop;

/**
 * A complex number, and all arithmetic on complex elements. Loops make one for each element they
 * read and write; the compiler removes these objects where it inlines the function.
 */
public record Complex(double re, double im) {
  public static final Complex ZERO = new Complex(0, 0);
  public static final Complex ONE = new Complex(1, 0);
  private static final Complex I = new Complex(0, 1);

  /** The number with this modulus and angle. */
  public static Complex ofPolar(double modulus, double angle) {
    return new Complex(modulus * Math.cos(angle), modulus * Math.sin(angle));
  }

  public boolean isZero() {
    return re == 0 && im == 0;
  }

  /** Returns whether both parts are equal numbers; unlike {@link #equals}, NaN equals nothing. */
  public boolean isSame(Complex other) {
    return re == other.re && im == other.im;
  }

  public double modulus() {
    return Math.hypot(re, im);
  }

  public double angle() {
    return Math.atan2(im, re);
  }

  public Complex conjugate() {
    return new Complex(re, -im);
  }

  public Complex negate() {
    return new Complex(-re, -im);
  }

  public Complex scale(double factor) {
    return new Complex(re * factor, im * factor);
  }

  public Complex plus(Complex other) {
    return new Complex(re + other.re, im + other.im);
  }

  public Complex minus(Complex other) {
    return new Complex(re - other.re, im - other.im);
  }

  public Complex times(Complex other) {
    return new Complex(re * other.re - im * other.im, re * other.im + im * other.re);
  }

  /** The quotient, scaled so that squares of the divisor's parts neither overflow nor vanish. */
  public Complex dividedBy(Complex divisor) {
    if (Math.abs(divisor.re) >= Math.abs(divisor.im)) {
      double ratio = divisor.im / divisor.re;
      double scale = divisor.re + divisor.im * ratio;
      return new Complex((re + im * ratio) / scale, (im - re * ratio) / scale);
    }
    double ratio = divisor.re / divisor.im;
    double scale = divisor.re * ratio + divisor.im;
    return new Complex((re * ratio + im) / scale, (im * ratio - re) / scale);
  }

  /** The square of the distance to another number, which is real. */
  public Complex squaredDistance(Complex other) {
    Complex distance = minus(other);
    return distance.times(distance.conjugate());
  }

  public Complex reciprocal() {
    return ONE.dividedBy(this);
  }

  public Complex square() {
    return times(this);
  }

  /** The number of modulus 1 with the same angle; 0 for 0. */
  public Complex sign() {
    double modulus = modulus();
    return modulus == 0 ? ZERO : new Complex(re / modulus, im / modulus);
  }

  /** The square root with a real part that is not negative. */
  public Complex sqrt() {
    if (isZero()) {
      return new Complex(0, im);
    }
    double half = Math.sqrt((Math.abs(re) + modulus()) / 2);
    return re >= 0
        ? new Complex(half, im / (2 * half))
        : new Complex(Math.abs(im) / (2 * half), Math.copySign(half, im));
  }

  public Complex exp() {
    return ofPolar(Math.exp(re), im);
  }

  /** e to this power, less 1, exact near 0 too. */
  public Complex expm1() {
    double sine = Math.sin(im / 2);
    double grown = Math.expm1(re);
    return new Complex(grown * Math.cos(im) - 2 * sine * sine, (grown + 1) * Math.sin(im));
  }

  /** The logarithm with an imaginary part from -pi to pi. */
  public Complex log() {
    return new Complex(Math.log(modulus()), angle());
  }

  /** The logarithm of 1 + this, exact near 0 too. */
  public Complex log1p() {
    boolean small = Math.abs(re) < 0.5 && Math.abs(im) < 0.5;
    double real =
        small ? Math.log1p(re * (2 + re) + im * im) / 2 : Math.log(Math.hypot(1 + re, im));
    return new Complex(real, Math.atan2(im, 1 + re));
  }

  /** The power by way of logarithms; anything to the power of 0 is 1. */
  public Complex power(Complex exponent) {
    if (exponent.isZero()) {
      return ONE;
    }
    return isZero() ? ZERO : log().times(exponent).exp();
  }

  public Complex sigmoid() {
    return ONE.plus(negate().exp()).reciprocal();
  }

  public Complex sinh() {
    return new Complex(Math.sinh(re) * Math.cos(im), Math.cosh(re) * Math.sin(im));
  }

  public Complex cosh() {
    return new Complex(Math.cosh(re) * Math.cos(im), Math.sinh(re) * Math.sin(im));
  }

  public Complex tanh() {
    double growth = Math.cosh(2 * re) + Math.cos(2 * im);
    return Double.isInfinite(growth)
        ? new Complex(Math.signum(re), 0)
        : new Complex(Math.sinh(2 * re) / growth, Math.sin(2 * im) / growth);
  }

  public Complex sin() {
    return times(I).sinh().dividedBy(I);
  }

  public Complex cos() {
    return times(I).cosh();
  }

  public Complex tan() {
    return times(I).tanh().dividedBy(I);
  }

  public Complex asinh() {
    return plus(square().plus(ONE).sqrt()).log();
  }

  public Complex acosh() {
    return plus(plus(ONE).sqrt().times(minus(ONE).sqrt())).log();
  }

  public Complex atanh() {
    return ONE.plus(this).log().minus(ONE.minus(this).log()).scale(0.5);
  }

  public Complex asin() {
    return times(I).asinh().dividedBy(I);
  }

  public Complex acos() {
    Complex asin = asin();
    return new Complex(Math.PI / 2 - asin.re, -asin.im);
  }

  public Complex atan() {
    return times(I).atanh().dividedBy(I);
  }
}
