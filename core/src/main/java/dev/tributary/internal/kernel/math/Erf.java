package dev.tributary.internal.kernel.math;

/**
 * The error function, {@code 2/sqrt(pi)} times the integral of {@code exp(-t^2)} from 0 to x, to
 * about 1e-15.
 *
 * <p>Cells of width 1/8 cover 0 to 6, beyond which the result is 1 in a double. Each has the Taylor
 * polynomial around its start, whose coefficients follow from {@code f' = -2 x f} for the
 * derivative f: if f has the coefficients a(n) around c, then (n + 1) a(n + 1) = -2 (c a(n) + a(n -
 * 1)). The value at a cell's start is its neighbour's at the end.
 */
final class Erf {
  private static final int CELLS_PER_UNIT = 8;
  private static final int LIMIT = 6;
  private static final int DEGREE = 15;
  private static final double[] COEFFICIENTS = coefficients();

  private Erf() {}

  static double erf(double x) {
    double distance = Math.abs(x);
    if (distance >= LIMIT) {
      return Math.signum(x);
    }
    if (x != x) {
      return x;
    }
    int cell = (int) (distance * CELLS_PER_UNIT);
    double value = evaluate(COEFFICIENTS, cell, distance - (double) cell / CELLS_PER_UNIT);
    return Math.copySign(value, x);
  }

  private static double evaluate(double[] coefficients, int cell, double offset) {
    int first = cell * (DEGREE + 1);
    double value = coefficients[first + DEGREE];
    for (int i = DEGREE - 1; i >= 0; i--) {
      value = value * offset + coefficients[first + i];
    }
    return value;
  }

  private static double[] coefficients() {
    int cells = LIMIT * CELLS_PER_UNIT;
    double[] all = new double[cells * (DEGREE + 1)];
    double start = 0;
    for (int cell = 0; cell < cells; cell++) {
      double center = (double) cell / CELLS_PER_UNIT;
      int first = cell * (DEGREE + 1);
      all[first] = start;
      double before = 0;
      double slope = 2 / Math.sqrt(Math.PI) * Math.exp(-center * center);
      for (int n = 0; n < DEGREE; n++) {
        all[first + n + 1] = slope / (n + 1);
        double next = -2 * (center * slope + before) / (n + 1);
        before = slope;
        slope = next;
      }
      start = evaluate(all, cell, 1.0 / CELLS_PER_UNIT);
    }
    return all;
  }
}
