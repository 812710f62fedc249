package dev.tributary.internal.kernel.math;

/** Cholesky's decomposition of a symmetric matrix, of which the lower triangle is read. */
final class CholeskyFactor {
  private CholeskyFactor() {}

  /** Replaces the lower triangle; false if the matrix is not positive definite. */
  static boolean decompose(RealMatrix matrix) {
    for (int i = 0; i < matrix.rows; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = matrix.at(i, j);
        for (int k = 0; k < j; k++) {
          sum -= matrix.at(i, k) * matrix.at(j, k);
        }
        if (i == j && !(sum > 0)) {
          return false;
        }
        matrix.set(i, j, i == j ? Math.sqrt(sum) : sum / matrix.at(j, j));
      }
    }
    return true;
  }

  /** Solves for all columns of a right side, in place, by what {@link #decompose} left. */
  static void solve(RealMatrix factor, RealMatrix right) {
    factor.solveTriangle(true, right);
    factor.transposed().solveTriangle(false, right);
  }

  /**
   * The gradient of the decomposed matrix by that of its factor. Of both the lower triangle is
   * read. By I. Murray, "Differentiation of the Cholesky decomposition" (2016).
   */
  static RealMatrix gradient(RealMatrix factor, RealMatrix gradient) {
    RealMatrix upper = lower(factor).transposed();
    RealMatrix middle = lower(upper.times(lower(gradient)));
    for (int i = 0; i < middle.rows; i++) {
      middle.set(i, i, middle.at(i, i) / 2);
    }
    upper.solveTriangle(false, middle);
    RealMatrix whole = middle.transposed();
    upper.solveTriangle(false, whole);
    return whole.plus(1, whole.transposed()).scaled(0.5);
  }

  private static RealMatrix lower(RealMatrix matrix) {
    RealMatrix lower = matrix.copy();
    for (int i = 0; i < matrix.rows; i++) {
      for (int j = i + 1; j < matrix.columns; j++) {
        lower.set(i, j, 0);
      }
    }
    return lower;
  }
}
