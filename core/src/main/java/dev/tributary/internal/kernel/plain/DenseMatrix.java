package dev.tributary.internal.kernel.plain;

/**
 * A matrix in memory, whose rows and columns lie {@code rowStep} and {@code columnStep} bytes
 * apart.
 */
record DenseMatrix(long address, long rowStep, long columnStep) implements Matrix {
  /** A row-major matrix, or the transpose of one. */
  static DenseMatrix of(long address, long columns, int size, boolean transposed) {
    return transposed
        ? new DenseMatrix(address, size, columns * size)
        : new DenseMatrix(address, columns * size, size);
  }

  @Override
  public boolean isColumnMajor() {
    return rowStep < columnStep;
  }

  @Override
  public void load(Panel to, boolean flip, long row, int rows, long column, int columns) {
    load(to, flip, 0, row, rows, column, columns);
  }

  /** The same with the block's first row at place {@code at} of the panel. */
  void load(Panel to, boolean flip, int at, long row, int rows, long column, int columns) {
    final long start = address + row * rowStep + column * columnStep;
    if (!isColumnMajor()) {
      for (int r = 0; r < rows; r++) {
        to.load(
            flip, flip ? 0 : at + r, flip ? at + r : 0, columns, start + r * rowStep, columnStep);
      }
    } else {
      for (int c = 0; c < columns; c++) {
        to.load(!flip, flip ? c : at, flip ? at : c, rows, start + c * columnStep, rowStep);
      }
    }
  }

  @Override
  public void store(
      Panel from, boolean flip, long row, int rows, long column, int columns, boolean accumulate) {
    final long start = address + row * rowStep + column * columnStep;
    for (int r = 0; r < rows; r++) {
      from.store(
          flip, flip ? 0 : r, flip ? r : 0, columns, start + r * rowStep, columnStep, accumulate);
    }
  }
}
