package dev.tributary.internal.kernel.math;

/**
 * The singular values of a matrix in decreasing order, with singular vectors as columns, by
 * rotations that make the matrix's columns orthogonal (one-sided Jacobi).
 */
final class SingularValues {
  private static final int SWEEPS = 60;
  private static final double ORTHOGONAL = 1e-16;

  private final boolean turned;
  private final double[] values;
  private final RealMatrix left;
  private final RealMatrix right;

  /**
   * @param full whether there are as many vectors as rows and columns rather than as values
   */
  SingularValues(RealMatrix matrix, boolean full) {
    // The columns can be made orthogonal if there are no more of them than of rows.
    this.turned = matrix.columns > matrix.rows;
    RealMatrix tall = turned ? matrix.transposed() : matrix.copy();
    RealMatrix rotations = RealMatrix.identity(tall.columns, tall.columns);
    boolean rotated = true;
    for (int sweep = 0; sweep < SWEEPS && rotated; sweep++) {
      rotated = sweep(tall, rotations);
    }
    double[] lengths = new double[tall.columns];
    for (int j = 0; j < lengths.length; j++) {
      lengths[j] = Math.sqrt(tall.dot(j, tall, j));
    }
    int[] order = Sorting.decreasing(lengths);
    this.values = new double[order.length];
    for (int j = 0; j < order.length; j++) {
      values[j] = lengths[order[j]];
    }
    this.right = rotations.columns(order);
    this.left = basis(tall.columns(order), full ? tall.rows : tall.columns);
  }

  private static boolean sweep(RealMatrix tall, RealMatrix rotations) {
    boolean rotated = false;
    for (int p = 0; p < tall.columns; p++) {
      for (int q = p + 1; q < tall.columns; q++) {
        double pp = tall.dot(p, tall, p);
        double qq = tall.dot(q, tall, q);
        double pq = tall.dot(p, tall, q);
        if (Math.abs(pq) > ORTHOGONAL * Math.sqrt(pp * qq)) {
          double ratio = (qq - pp) / (2 * pq);
          double tangent = Math.copySign(1, ratio) / (Math.abs(ratio) + Math.hypot(1, ratio));
          double c = 1 / Math.hypot(1, tangent);
          tall.rotate(p, q, c, c * tangent);
          rotations.rotate(p, q, c, c * tangent);
          rotated = true;
        }
      }
    }
    return rotated;
  }

  /** The columns scaled to length 1; those that are zero or missing are chosen orthogonal. */
  private RealMatrix basis(RealMatrix columns, int count) {
    RealMatrix basis = new RealMatrix(columns.rows, count);
    double least = values.length == 0 ? 0 : 1e-14 * values[0];
    for (int j = 0; j < count; j++) {
      if (j < values.length && values[j] > least) {
        for (int i = 0; i < basis.rows; i++) {
          basis.set(i, j, columns.at(i, j) / values[j]);
        }
      } else {
        complete(basis, j);
      }
    }
    return basis;
  }

  /** Sets a column to a unit vector that is orthogonal to all before it. */
  private static void complete(RealMatrix basis, int column) {
    for (int axis = 0; axis < basis.rows; axis++) {
      for (int i = 0; i < basis.rows; i++) {
        basis.set(i, column, i == axis ? 1 : 0);
      }
      // Twice, as the first time leaves rounding errors.
      for (int j = 0; j < 2 * column; j++) {
        double shared = basis.dot(column, basis, j % column);
        for (int i = 0; i < basis.rows; i++) {
          basis.set(i, column, basis.at(i, column) - shared * basis.at(i, j % column));
        }
      }
      double length = Math.sqrt(basis.dot(column, basis, column));
      // Some axis is at least this far from the space of the columns so far.
      if (length * length * basis.rows > 0.5) {
        for (int i = 0; i < basis.rows; i++) {
          basis.set(i, column, basis.at(i, column) / length);
        }
        return;
      }
    }
  }

  double[] values() {
    return values;
  }

  RealMatrix left() {
    return turned ? right : left;
  }

  RealMatrix right() {
    return turned ? left : right;
  }
}
