package dev.tributary.kernel.state;

import dev.tributary.tensor.Memory;
import java.util.function.LongUnaryOperator;

/**
 * Visits rows that lie anywhere in a large table. Each would be waited for when it is used; so a
 * few of them are looked at first, which lets the processor fetch them side by side.
 */
final class ScatteredRows {
  /** What a visitor does not want to visit. */
  static final long NONE = 0;

  /** So many that their loads are in flight together. */
  private static final int AHEAD = 16;

  private static final int CACHE_LINE = 64;

  /** What lies behind is fetched by the processor itself, as it sees where reading goes. */
  private static final long LOOKED_AT = 8 * CACHE_LINE;

  /** Written only, so that looking at rows is not taken for useless. */
  @SuppressWarnings("unused")
  private static int seen;

  /** What is done with a row. */
  @FunctionalInterface
  interface Visit {
    /**
     * @param index which of the visited rows it is
     * @param row where it begins in memory
     */
    void row(long index, long row);
  }

  private ScatteredRows() {}

  /**
   * Visits the rows from {@code first} up to but without {@code end}, in this order.
   *
   * @param addressOf where a row begins, or {@link #NONE}
   */
  static void visit(long first, long end, long rowBytes, LongUnaryOperator addressOf, Visit visit) {
    long[] rows = new long[AHEAD];
    int sum = 0;
    for (long block = first; block < end; block += AHEAD) {
      int count = (int) Math.min(AHEAD, end - block);
      for (int i = 0; i < count; i++) {
        rows[i] = addressOf.applyAsLong(block + i);
        sum += rows[i] == NONE ? 0 : look(rows[i], rowBytes);
      }
      for (int i = 0; i < count; i++) {
        if (rows[i] != NONE) {
          visit.row(block + i, rows[i]);
        }
      }
    }
    seen = sum;
  }

  private static int look(long row, long rowBytes) {
    int sum = 0;
    for (long line = 0; line < Math.min(rowBytes, LOOKED_AT); line += CACHE_LINE) {
      sum += Memory.getByte(row + line);
    }
    return sum;
  }
}
