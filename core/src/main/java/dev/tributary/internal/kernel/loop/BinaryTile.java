package dev.tributary.internal.kernel.loop;

/**
 * A stamped loop of two operands. Tiles are arrays of the template's carrier, at least {@code
 * count} long.
 */
interface BinaryTile {
  /** {@code out} may be {@code left} or {@code right}. */
  void run(Object left, Object right, Object out, int count);

  /**
   * The same over native memory which holds the carrier's own type; a step in bytes is the
   * element's size or 0.
   */
  void direct(long left, long leftStep, long right, long rightStep, long out, int count);
}
