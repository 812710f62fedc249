package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;

/** Elimination in a matrix that has elements only on and beside its diagonal. */
final class Tridiagonal {
  private Tridiagonal() {}

  /**
   * Solves for all columns of a right side, which the solution replaces.
   *
   * @param diagonals the diagonals above, on and below the main one as rows, each aligned with the
   *     matrix's rows; overwritten
   * @param pivoting whether neighbouring rows are exchanged so that the greater pivot wins
   */
  static void solve(RealMatrix diagonals, RealMatrix right, boolean pivoting) {
    int size = right.rows;
    // The second diagonal above fills up where rows are exchanged.
    double[] second = new double[size];
    for (int i = 0; i + 1 < size; i++) {
      double below = diagonals.at(2, i + 1);
      if (pivoting && Math.abs(below) > Math.abs(diagonals.at(1, i))) {
        double above = i + 2 < size ? diagonals.at(0, i + 1) : 0;
        double main = diagonals.at(1, i + 1);
        diagonals.set(2, i + 1, diagonals.at(1, i));
        diagonals.set(1, i + 1, diagonals.at(0, i));
        diagonals.set(0, i + 1, 0);
        diagonals.set(1, i, below);
        diagonals.set(0, i, main);
        second[i] = above;
        exchange(right, i);
      }
      double pivot = requireNotZero(diagonals.at(1, i));
      double factor = diagonals.at(2, i + 1) / pivot;
      diagonals.set(1, i + 1, diagonals.at(1, i + 1) - factor * diagonals.at(0, i));
      diagonals.set(0, i + 1, diagonals.at(0, i + 1) - factor * second[i]);
      right.addRow(-factor, i, i + 1);
    }
    for (int i = size - 1; i >= 0; i--) {
      double pivot = requireNotZero(diagonals.at(1, i));
      if (i + 1 < size) {
        right.addRow(-diagonals.at(0, i), i + 1, i);
      }
      if (i + 2 < size) {
        right.addRow(-second[i], i + 2, i);
      }
      for (int j = 0; j < right.columns; j++) {
        right.set(i, j, right.at(i, j) / pivot);
      }
    }
  }

  private static void exchange(RealMatrix right, int i) {
    for (int j = 0; j < right.columns; j++) {
      double value = right.at(i, j);
      right.set(i, j, right.at(i + 1, j));
      right.set(i + 1, j, value);
    }
  }

  private static double requireNotZero(double pivot) {
    if (pivot == 0) {
      throw TributaryException.invalidArgument("The matrix is not invertible.");
    }
    return pivot;
  }
}
