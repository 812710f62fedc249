package dev.tributary.internal.kernel.math;

import java.util.Arrays;

/** A matrix of doubles, row by row, on which decompositions work in place. Confined to a call. */
final class RealMatrix {
  final int rows;
  final int columns;
  final double[] values;

  RealMatrix(int rows, int columns) {
    this(rows, columns, new double[rows * columns]);
  }

  /**
   * @param values row by row; taken over
   */
  RealMatrix(int rows, int columns, double[] values) {
    this.rows = rows;
    this.columns = columns;
    this.values = values;
  }

  /** Ones on the diagonal and zeros elsewhere. */
  static RealMatrix identity(int rows, int columns) {
    RealMatrix identity = new RealMatrix(rows, columns);
    for (int i = 0; i < Math.min(rows, columns); i++) {
      identity.set(i, i, 1);
    }
    return identity;
  }

  double at(int row, int column) {
    return values[row * columns + column];
  }

  void set(int row, int column, double value) {
    values[row * columns + column] = value;
  }

  RealMatrix copy() {
    return new RealMatrix(rows, columns, values.clone());
  }

  RealMatrix transposed() {
    RealMatrix result = new RealMatrix(columns, rows);
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        result.set(j, i, at(i, j));
      }
    }
    return result;
  }

  RealMatrix times(RealMatrix right) {
    RealMatrix result = new RealMatrix(rows, right.columns);
    for (int i = 0; i < rows; i++) {
      for (int k = 0; k < columns; k++) {
        double factor = at(i, k);
        for (int j = 0; j < right.columns; j++) {
          result.values[i * right.columns + j] += factor * right.at(k, j);
        }
      }
    }
    return result;
  }

  /** The sum with {@code factor} times another matrix of the same size. */
  RealMatrix plus(double factor, RealMatrix other) {
    RealMatrix result = copy();
    for (int i = 0; i < values.length; i++) {
      result.values[i] += factor * other.values[i];
    }
    return result;
  }

  RealMatrix scaled(double factor) {
    RealMatrix result = copy();
    for (int i = 0; i < values.length; i++) {
      result.values[i] *= factor;
    }
    return result;
  }

  /** The first columns. */
  RealMatrix firstColumns(int count) {
    RealMatrix result = new RealMatrix(rows, count);
    for (int i = 0; i < rows; i++) {
      System.arraycopy(values, i * columns, result.values, i * count, count);
    }
    return result;
  }

  /** The first rows. */
  RealMatrix firstRows(int count) {
    return new RealMatrix(count, columns, Arrays.copyOf(values, count * columns));
  }

  /** The greatest sum of the absolute values of a column. */
  double norm() {
    double norm = 0;
    for (int j = 0; j < columns; j++) {
      double sum = 0;
      for (int i = 0; i < rows; i++) {
        sum += Math.abs(at(i, j));
      }
      norm = Math.max(norm, sum);
    }
    return norm;
  }

  /**
   * Solves for all columns of a right side, which the solution replaces, by the lower or the upper
   * triangle of this matrix.
   */
  void solveTriangle(boolean lower, RealMatrix right) {
    for (int step = 0; step < rows; step++) {
      int i = lower ? step : rows - 1 - step;
      for (int k = lower ? 0 : i + 1; k < (lower ? i : rows); k++) {
        right.addRow(-at(i, k), k, i);
      }
      for (int j = 0; j < right.columns; j++) {
        right.set(i, j, right.at(i, j) / at(i, i));
      }
    }
  }

  /** Adds {@code factor} times a row to another one. */
  void addRow(double factor, int row, int to) {
    for (int j = 0; j < columns; j++) {
      values[to * columns + j] += factor * values[row * columns + j];
    }
  }

  /** The product of two columns. */
  double dot(int column, RealMatrix other, int otherColumn) {
    double sum = 0;
    for (int i = 0; i < rows; i++) {
      sum += at(i, column) * other.at(i, otherColumn);
    }
    return sum;
  }

  /** Replaces columns p and q by {@code c * p - s * q} and {@code s * p + c * q}. */
  void rotate(int p, int q, double c, double s) {
    for (int i = 0; i < rows; i++) {
      double x = at(i, p);
      double y = at(i, q);
      set(i, p, c * x - s * y);
      set(i, q, s * x + c * y);
    }
  }

  /** Columns in another order: column {@code j} of the result is column {@code order[j]} here. */
  RealMatrix columns(int[] order) {
    RealMatrix result = new RealMatrix(rows, order.length);
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < order.length; j++) {
        result.set(i, j, at(i, order[j]));
      }
    }
    return result;
  }
}
