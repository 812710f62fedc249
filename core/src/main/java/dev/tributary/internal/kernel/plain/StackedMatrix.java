package dev.tributary.internal.kernel.plain;

import dev.tributary.error.TributaryException;

/** Matrices of {@code height} rows each, one above the other: the taps of a filter. */
record StackedMatrix(DenseMatrix[] parts, int height) implements Matrix {
  @Override
  public boolean isColumnMajor() {
    return parts.length > 0 && parts[0].isColumnMajor();
  }

  @Override
  public void load(Panel to, boolean flip, long row, int rows, long column, int columns) {
    for (int done = 0; done < rows; ) {
      final long at = row + done;
      final long within = at % height;
      final int count = (int) Math.min(height - within, rows - done);
      parts[(int) (at / height)].load(to, flip, done, within, count, column, columns);
      done += count;
    }
  }

  @Override
  public void store(
      Panel from, boolean flip, long row, int rows, long column, int columns, boolean accumulate) {
    throw TributaryException.internal("a stack of matrices is only read");
  }
}
