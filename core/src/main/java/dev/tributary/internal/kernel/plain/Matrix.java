package dev.tributary.internal.kernel.plain;

/**
 * A matrix for {@link Gemm}, which need not exist as such: patches of an image are one too.
 * Immutable. Blocks are copied into and out of panels; with {@code flip}, block element (r, c) is
 * at panel place (c, r).
 */
interface Matrix {
  /** Returns whether columns, not rows, are what lies together in memory. */
  boolean isColumnMajor();

  void load(Panel to, boolean flip, long row, int rows, long column, int columns);

  /** Writes a block back, or adds it to what is there. */
  void store(
      Panel from, boolean flip, long row, int rows, long column, int columns, boolean accumulate);
}
