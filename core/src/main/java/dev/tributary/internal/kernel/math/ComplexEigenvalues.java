package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.math.ComplexMatrix.Rotation;

/**
 * The eigenvalues of any square matrix, with eigenvectors as columns of length 1. The matrix is
 * turned into a triangle by rotations: first below its second diagonal, then by the QR algorithm
 * with Wilkinson's shifts. The eigenvalues are on the diagonal of the triangle.
 */
final class ComplexEigenvalues {
  private static final double EPSILON = Math.ulp(1.0);
  private static final int MOST_TURNS = 60;

  private final ComplexMatrix triangle;
  private final ComplexMatrix rotations;
  private final int size;

  /**
   * @param matrix taken over and overwritten
   */
  ComplexEigenvalues(ComplexMatrix matrix) {
    this.triangle = matrix;
    this.size = matrix.size;
    this.rotations = ComplexMatrix.identity(size);
    clearBelowSecondDiagonal();
    clearSecondDiagonal();
  }

  double re(int i) {
    return triangle.re(i, i);
  }

  double im(int i) {
    return triangle.im(i, i);
  }

  private void clearBelowSecondDiagonal() {
    for (int column = 0; column < size - 2; column++) {
      for (int row = size - 1; row > column + 1; row--) {
        turn(row - 1, element(row - 1, column), element(row, column));
        triangle.set(row, column, 0, 0);
      }
    }
  }

  private double[] element(int row, int column) {
    return new double[] {triangle.re(row, column), triangle.im(row, column)};
  }

  /** Turns a row and the next so that {@code y} below {@code x} becomes 0. */
  private void turn(int row, double[] x, double[] y) {
    Rotation rotation = Rotation.of(x[0], x[1], y[0], y[1]);
    triangle.rotateRows(row, rotation);
    triangle.rotateColumns(row, rotation);
    rotations.rotateColumns(row, rotation);
  }

  private void clearSecondDiagonal() {
    int last = size - 1;
    int turns = 0;
    while (last > 0) {
      int first = firstOfBlock(last);
      if (first == last) {
        last--;
        turns = 0;
      } else if (turns++ < MOST_TURNS) {
        chase(first, last, shift(last, turns));
      } else {
        throw TributaryException.invalidArgument(
            "Eigen decomposition was not successful after %d turns. The input may contain NaN or"
                + " infinite elements.",
            MOST_TURNS);
      }
    }
  }

  /** The first row of the block that ends with a row and has nothing but 0 beside it. */
  private int firstOfBlock(int last) {
    for (int row = last; row > 0; row--) {
      double around = triangle.magnitude(row - 1, row - 1) + triangle.magnitude(row, row);
      if (triangle.magnitude(row, row - 1) <= EPSILON * around) {
        triangle.set(row, row - 1, 0, 0);
        return row;
      }
    }
    return 0;
  }

  /** The eigenvalue of the last two rows that is nearest to the last element. */
  private double[] shift(int last, int turns) {
    if (turns % 10 == 0) {
      // The usual shift may go round in circles.
      double other = last > 1 ? triangle.magnitude(last - 1, last - 2) : 0;
      return new double[] {triangle.magnitude(last, last - 1) + other, 0};
    }
    double[] a = element(last - 1, last - 1);
    double[] d = element(last, last);
    double[] product = times(element(last - 1, last), element(last, last - 1));
    double[] half = {(a[0] - d[0]) / 2, (a[1] - d[1]) / 2};
    double[] square = times(half, half);
    double[] root = squareRoot(square[0] + product[0], square[1] + product[1]);
    // Of the two roots the one that makes the divisor larger makes the quotient smaller.
    double sign = half[0] * root[0] + half[1] * root[1] < 0 ? -1 : 1;
    double[] divisor = {half[0] + sign * root[0], half[1] + sign * root[1]};
    double[] step = divide(product, divisor);
    return new double[] {d[0] - step[0], d[1] - step[1]};
  }

  private void chase(int first, int last, double[] shift) {
    double[] x = {
      triangle.re(first, first) - shift[0], triangle.im(first, first) - shift[1],
    };
    double[] y = element(first + 1, first);
    for (int row = first; row < last; row++) {
      turn(row, x, y);
      if (row > first) {
        triangle.set(row + 1, row - 1, 0, 0);
      }
      if (row + 1 < last) {
        x = element(row + 1, row);
        y = element(row + 2, row);
      }
    }
  }

  /** The eigenvectors as columns. */
  ComplexMatrix vectors() {
    ComplexMatrix vectors = new ComplexMatrix(size);
    double least = EPSILON * Math.max(largest(), Double.MIN_NORMAL);
    for (int k = 0; k < size; k++) {
      double[][] x = new double[k + 1][];
      x[k] = new double[] {1, 0};
      for (int i = k - 1; i >= 0; i--) {
        double[] sum = {0, 0};
        for (int j = i + 1; j <= k; j++) {
          add(sum, times(element(i, j), x[j]));
        }
        double[] gap = {re(k) - re(i), im(k) - im(i)};
        x[i] = divide(sum, gap[0] == 0 && gap[1] == 0 ? new double[] {least, 0} : gap);
      }
      setColumn(vectors, k, x);
    }
    return vectors;
  }

  private double largest() {
    double largest = 0;
    for (int i = 0; i < size; i++) {
      for (int j = i; j < size; j++) {
        largest = Math.max(largest, triangle.magnitude(i, j));
      }
    }
    return largest;
  }

  /** Turns an eigenvector of the triangle back into one of the matrix. */
  private void setColumn(ComplexMatrix vectors, int k, double[][] x) {
    double[][] column = new double[size][];
    double length = 0;
    for (int i = 0; i < size; i++) {
      column[i] = new double[2];
      for (int j = 0; j < x.length; j++) {
        add(column[i], times(new double[] {rotations.re(i, j), rotations.im(i, j)}, x[j]));
      }
      length = Math.hypot(length, Math.hypot(column[i][0], column[i][1]));
    }
    for (int i = 0; i < size; i++) {
      vectors.set(i, k, column[i][0] / length, column[i][1] / length);
    }
  }

  private static void add(double[] sum, double[] x) {
    sum[0] += x[0];
    sum[1] += x[1];
  }

  private static double[] times(double[] x, double[] y) {
    return new double[] {x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]};
  }

  private static double[] divide(double[] x, double[] y) {
    double length = Math.hypot(y[0], y[1]);
    if (length == 0) {
      return new double[] {0, 0};
    }
    double re = y[0] / length;
    double im = y[1] / length;
    return new double[] {(x[0] * re + x[1] * im) / length, (x[1] * re - x[0] * im) / length};
  }

  private static double[] squareRoot(double re, double im) {
    double length = Math.hypot(re, im);
    double root = Math.sqrt((length + Math.abs(re)) / 2);
    if (root == 0) {
      return new double[] {0, 0};
    }
    double other = im / (2 * root);
    return re >= 0
        ? new double[] {root, other}
        : new double[] {Math.abs(other), Math.copySign(root, im)};
  }
}
