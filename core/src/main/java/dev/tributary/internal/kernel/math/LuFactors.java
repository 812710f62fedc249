package dev.tributary.internal.kernel.math;

/**
 * A square matrix as the product of a lower and an upper triangle, with rows exchanged so that each
 * pivot is the greatest of its column. Computed in double.
 */
final class LuFactors {
  private final double[] factors;
  private final int[] rows;
  private final int size;
  private int sign = 1;

  /**
   * @param matrix square; taken over and overwritten
   */
  LuFactors(RealMatrix matrix) {
    this.factors = matrix.values;
    this.size = matrix.rows;
    this.rows = new int[size];
    for (int i = 0; i < size; i++) {
      rows[i] = i;
    }
    for (int k = 0; k < size; k++) {
      exchange(k, pivot(k));
      eliminate(k);
    }
  }

  private int pivot(int column) {
    int best = column;
    for (int i = column + 1; i < size; i++) {
      if (Math.abs(factors[i * size + column]) > Math.abs(factors[best * size + column])) {
        best = i;
      }
    }
    return best;
  }

  private void exchange(int i, int j) {
    if (i == j) {
      return;
    }
    for (int column = 0; column < size; column++) {
      double value = factors[i * size + column];
      factors[i * size + column] = factors[j * size + column];
      factors[j * size + column] = value;
    }
    int row = rows[i];
    rows[i] = rows[j];
    rows[j] = row;
    sign = -sign;
  }

  private void eliminate(int k) {
    double pivot = factors[k * size + k];
    if (pivot == 0) {
      return;
    }
    for (int i = k + 1; i < size; i++) {
      double factor = factors[i * size + k] / pivot;
      factors[i * size + k] = factor;
      for (int j = k + 1; j < size; j++) {
        factors[i * size + j] -= factor * factors[k * size + j];
      }
    }
  }

  boolean isSingular() {
    for (int i = 0; i < size; i++) {
      if (factors[i * size + i] == 0) {
        return true;
      }
    }
    return false;
  }

  /** Both triangles in one matrix, without the lower one's diagonal of ones. */
  double[] triangles() {
    return factors;
  }

  /** The input's row that each row of the triangles is about. */
  int[] rows() {
    return rows;
  }

  RealMatrix inverse() {
    return solve(RealMatrix.identity(size, size));
  }

  double determinant() {
    double determinant = sign;
    for (int i = 0; i < size; i++) {
      determinant *= factors[i * size + i];
    }
    return determinant;
  }

  /** The sign of the determinant: -1, 0 or 1. */
  double determinantSign() {
    double result = sign;
    for (int i = 0; i < size; i++) {
      result *= Math.signum(factors[i * size + i]);
    }
    return result;
  }

  /** The logarithm of the determinant's absolute value. */
  double logDeterminant() {
    double sum = 0;
    for (int i = 0; i < size; i++) {
      sum += Math.log(Math.abs(factors[i * size + i]));
    }
    return sum;
  }

  /** Solves for all columns of a right side. */
  RealMatrix solve(RealMatrix right) {
    RealMatrix solution = new RealMatrix(size, right.columns);
    for (int i = 0; i < size; i++) {
      System.arraycopy(
          right.values, rows[i] * right.columns, solution.values, i * right.columns, right.columns);
      for (int k = 0; k < i; k++) {
        solution.addRow(-factors[i * size + k], k, i);
      }
    }
    new RealMatrix(size, size, factors).solveTriangle(false, solution);
    return solution;
  }
}
