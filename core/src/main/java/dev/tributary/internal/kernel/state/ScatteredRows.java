package dev.tributary.internal.kernel.state;

import dev.tributary.internal.memory.Memory;

/**
 * Visits rows that lie anywhere in a large table. Each would be waited for when it is used; so a
 * few of them are looked at first, which lets the processor fetch them side by side.
 */
final class ScatteredRows {
  /** The rows that a visitor skips. */
  static final long NONE = 0;

  /** So many that their loads are in flight together. */
  private static final int AHEAD = 16;

  private static final int CACHE_LINE = 64;

  /** The bytes behind it are fetched by the processor itself, which recognises the pattern. */
  private static final long LOOKED_AT = 8 * CACHE_LINE;

  /** Written only, so that looking at rows is not taken for useless. */
  @SuppressWarnings("unused")
  private static int seen;

  /** Tells where rows begin. */
  @FunctionalInterface
  interface Find {
    /**
     * @param rows set to where the rows from {@code first} on begin in memory, or {@link #NONE}
     */
    void find(long first, long[] rows, int count);
  }

  /** The visitor of rows. */
  @FunctionalInterface
  interface Visit {
    /**
     * @param first which of the visited rows the first of these is
     */
    void visit(long first, long[] rows, int count);
  }

  private ScatteredRows() {}

  /**
   * Visits the rows from {@code first} up to but without {@code end}, in this order, some at a
   * time.
   */
  static void visit(long first, long end, long rowBytes, Find find, Visit visit) {
    long[] rows = new long[AHEAD];
    int sum = 0;
    for (long block = first; block < end; block += AHEAD) {
      int count = (int) Math.min(AHEAD, end - block);
      find.find(block, rows, count);
      sum += look(rows, count, (int) Math.min(rowBytes, LOOKED_AT));
      visit.visit(block, rows, count);
    }
    seen = sum;
  }

  private static int look(long[] rows, int count, int bytes) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
      long row = rows[i];
      for (int line = 0; row != NONE && line < bytes; line += CACHE_LINE) {
        sum += Memory.getByte(row + line);
      }
    }
    return sum;
  }
}
