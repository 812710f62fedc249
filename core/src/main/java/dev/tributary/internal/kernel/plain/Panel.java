package dev.tributary.internal.kernel.plain;

import dev.tributary.tensor.DataType;

/**
 * A block of a matrix on the heap, one array for each row: that is the form in which C2 vectorises
 * the product's inner loop (rows of one flat array, at different offsets, defeat it). Confined to
 * one thread at a time. There is one class for each kind of Java array; they differ in nothing
 * else.
 */
abstract class Panel {
  /** A panel for elements of {@code type}. */
  static Panel of(DataType type, int rows, int columns) {
    return switch (type) {
      case FLOAT -> new FloatPanel(rows, columns);
      case DOUBLE -> new DoublePanel(rows, columns);
      default -> new LongPanel(type, rows, columns);
    };
  }

  /**
   * Reads {@code count} elements, {@code step} bytes apart, into the places from (row, column) on,
   * to the right or {@code down}.
   */
  abstract void load(boolean down, int row, int column, int count, long address, long step);

  /** Sets {@code count} places from (row, column) on to zero. */
  abstract void zero(boolean down, int row, int column, int count);

  /** Writes {@code count} elements back, or adds them to what is there. */
  abstract void store(
      boolean down, int row, int column, int count, long address, long step, boolean accumulate);

  /**
   * Adds the product of {@code a} [rows, depth] and {@code b} [depth, columns], which are of this
   * panel's class.
   */
  abstract void addProduct(Panel a, Panel b, int rows, int columns, int depth);

  /** Adds {@code other}, which is of this panel's class. */
  abstract void add(Panel other, int rows, int columns);
}
