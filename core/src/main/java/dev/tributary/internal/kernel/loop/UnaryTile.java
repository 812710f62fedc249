package dev.tributary.internal.kernel.loop;

/**
 * A stamped loop of one operand. Tiles are arrays of the template's carrier, at least {@code count}
 * long.
 */
interface UnaryTile {
  void run(Object in, Object out, int count);

  /** The same over native memory which holds the carrier's own type. */
  void direct(long in, long out, int count);
}
