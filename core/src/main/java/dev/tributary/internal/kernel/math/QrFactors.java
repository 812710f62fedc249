package dev.tributary.internal.kernel.math;

/**
 * A matrix as the product of an orthogonal matrix and an upper triangle, by Householder's
 * reflections. The signs are those of LAPACK: a reflected column gets the sign that its first
 * element had not.
 */
final class QrFactors {
  private final RealMatrix q;
  private final RealMatrix r;

  /**
   * @param matrix taken over and overwritten
   */
  QrFactors(RealMatrix matrix) {
    this.r = matrix;
    this.q = RealMatrix.identity(matrix.rows, matrix.rows);
    double[] axis = new double[matrix.rows];
    for (int k = 0; k < Math.min(matrix.rows, matrix.columns); k++) {
      double tail = 0;
      for (int i = k + 1; i < r.rows; i++) {
        tail += r.at(i, k) * r.at(i, k);
        axis[i] = r.at(i, k);
      }
      if (tail > Double.MIN_NORMAL) {
        double first = r.at(k, k);
        double length = Math.sqrt(first * first + tail);
        axis[k] = first - (first >= 0 ? -length : length);
        double scale = 2 / (axis[k] * axis[k] + tail);
        reflectRows(r, k, axis, scale);
        reflectColumns(q, k, axis, scale);
      }
      for (int i = k + 1; i < r.rows; i++) {
        r.set(i, k, 0);
      }
    }
  }

  private static void reflectRows(RealMatrix matrix, int from, double[] axis, double scale) {
    for (int j = 0; j < matrix.columns; j++) {
      double sum = 0;
      for (int i = from; i < matrix.rows; i++) {
        sum += axis[i] * matrix.at(i, j);
      }
      for (int i = from; i < matrix.rows; i++) {
        matrix.set(i, j, matrix.at(i, j) - scale * sum * axis[i]);
      }
    }
  }

  private static void reflectColumns(RealMatrix matrix, int from, double[] axis, double scale) {
    for (int i = 0; i < matrix.rows; i++) {
      double sum = 0;
      for (int j = from; j < matrix.columns; j++) {
        sum += axis[j] * matrix.at(i, j);
      }
      for (int j = from; j < matrix.columns; j++) {
        matrix.set(i, j, matrix.at(i, j) - scale * sum * axis[j]);
      }
    }
  }

  /** The orthogonal matrix, square. */
  RealMatrix q() {
    return q;
  }

  /** The upper triangle, of the input's size. */
  RealMatrix r() {
    return r;
  }
}
