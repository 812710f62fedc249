package dev.tributary.internal.kernel.onednn;

import org.bytedeco.javacpp.FloatPointer;

/**
 * The sums of a matrix's columns, as products of a row of ones with blocks of its rows. Sums of
 * blocks are added up, so rounding errors grow with the number of blocks and not of rows.
 */
final class ColumnSums {
  private static final int BLOCK = 2048;

  /** Never freed. */
  private static final FloatPointer ONES = ones();

  private ColumnSums() {}

  /** Sizes are positive. */
  static void run(long rows, long columns, long matrix, long sums) {
    final Products products = Products.local();
    for (long row = 0; row < rows; row += BLOCK) {
      final long count = Math.min(BLOCK, rows - row);
      final long from = matrix + row * columns * Float.BYTES;
      products.multiply(
          1, columns, count, false, count, false, row > 0, ONES.address(), from, sums);
    }
  }

  private static FloatPointer ones() {
    final FloatPointer result = new FloatPointer((long) BLOCK);
    for (long i = 0; i < BLOCK; i++) {
      result.put(i, 1f);
    }
    return result;
  }
}
