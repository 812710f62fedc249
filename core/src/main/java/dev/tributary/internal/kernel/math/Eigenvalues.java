package dev.tributary.internal.kernel.math;

/**
 * The eigenvalues of a symmetric matrix in increasing order, with eigenvectors as columns, by
 * Jacobi's rotations. Of the matrix the lower triangle is read.
 */
final class Eigenvalues {
  private static final int SWEEPS = 60;

  private final RealMatrix matrix;
  private final RealMatrix rotations;
  private final int[] order;

  /**
   * @param matrix taken over and overwritten
   */
  Eigenvalues(RealMatrix matrix) {
    this.matrix = matrix;
    this.rotations = RealMatrix.identity(matrix.rows, matrix.rows);
    mirror();
    for (int sweep = 0; sweep < SWEEPS && !isDiagonal(); sweep++) {
      for (int p = 0; p < matrix.rows; p++) {
        for (int q = p + 1; q < matrix.rows; q++) {
          rotate(p, q);
        }
      }
    }
    this.order = Sorting.increasing(diagonal());
  }

  private void mirror() {
    for (int i = 0; i < matrix.rows; i++) {
      for (int j = i + 1; j < matrix.rows; j++) {
        matrix.set(i, j, matrix.at(j, i));
      }
    }
  }

  private boolean isDiagonal() {
    double beside = 0;
    double on = 0;
    for (int i = 0; i < matrix.rows; i++) {
      on += matrix.at(i, i) * matrix.at(i, i);
      for (int j = 0; j < i; j++) {
        beside += matrix.at(i, j) * matrix.at(i, j);
      }
    }
    return beside <= 1e-34 * on;
  }

  /** Makes the element in row p and column q zero. */
  private void rotate(int p, int q) {
    if (matrix.at(p, q) == 0) {
      return;
    }
    double ratio = (matrix.at(q, q) - matrix.at(p, p)) / (2 * matrix.at(p, q));
    double tangent = Math.copySign(1, ratio) / (Math.abs(ratio) + Math.hypot(1, ratio));
    double c = 1 / Math.hypot(1, tangent);
    double s = tangent * c;
    matrix.rotate(p, q, c, s);
    for (int j = 0; j < matrix.columns; j++) {
      double x = matrix.at(p, j);
      double y = matrix.at(q, j);
      matrix.set(p, j, c * x - s * y);
      matrix.set(q, j, s * x + c * y);
    }
    rotations.rotate(p, q, c, s);
  }

  private double[] diagonal() {
    double[] diagonal = new double[matrix.rows];
    for (int i = 0; i < diagonal.length; i++) {
      diagonal[i] = matrix.at(i, i);
    }
    return diagonal;
  }

  double[] values() {
    double[] sorted = new double[order.length];
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] = matrix.at(order[i], order[i]);
    }
    return sorted;
  }

  RealMatrix vectors() {
    return rotations.columns(order);
  }
}
