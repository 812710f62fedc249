package dev.tributary.internal.kernel.loop;

import dev.tributary.internal.memory.Memory;

/**
 * Transposes a matrix of 4- or 8-byte elements block by block: each block is read along the
 * source's lines into a tile and written along the target's. With strides of a power of two, lines
 * fall on the same few places of the cache, and would push each other out before they were used to
 * the end.
 */
final class BlockTranspose {
  private static final int ROWS = 32;
  private static final int COLUMNS = Tiles.LENGTH / ROWS;

  private BlockTranspose() {}

  static boolean serves(int elementSize) {
    return elementSize == 4 || elementSize == 8;
  }

  /**
   * @param rows rows of the target, which are neighbours in the source
   * @param sourceStep bytes in the source between the elements of a target's row
   * @param targetStep bytes between the target's rows
   */
  static void run(
      int elementSize,
      long rows,
      long columns,
      long source,
      long sourceStep,
      long target,
      long targetStep) {
    Tiles tiles = Tiles.own();
    for (long row = 0; row < rows; row += ROWS) {
      int height = (int) Math.min(ROWS, rows - row);
      for (long column = 0; column < columns; column += COLUMNS) {
        int width = (int) Math.min(COLUMNS, columns - column);
        long from = source + row * elementSize + column * sourceStep;
        long to = target + row * targetStep + column * elementSize;
        if (elementSize == 4) {
          turn((int[]) tiles.tile(Carrier.INT, 0), height, width, from, sourceStep, to, targetStep);
        } else {
          turn(
              (long[]) tiles.tile(Carrier.LONG, 0),
              height,
              width,
              from,
              sourceStep,
              to,
              targetStep);
        }
      }
    }
  }

  private static void turn(
      int[] tile, int height, int width, long from, long fromStep, long to, long toStep) {
    for (int column = 0; column < width; column++) {
      long line = from + column * fromStep;
      for (int row = 0; row < height; row++) {
        tile[row * COLUMNS + column] = Memory.getInt(line + 4L * row);
      }
    }
    for (int row = 0; row < height; row++) {
      Memory.copy(tile, row * COLUMNS, to + row * toStep, width);
    }
  }

  private static void turn(
      long[] tile, int height, int width, long from, long fromStep, long to, long toStep) {
    for (int column = 0; column < width; column++) {
      long line = from + column * fromStep;
      for (int row = 0; row < height; row++) {
        tile[row * COLUMNS + column] = Memory.getLong(line + 8L * row);
      }
    }
    for (int row = 0; row < height; row++) {
      Memory.copy(tile, row * COLUMNS, to + row * toStep, width);
    }
  }
}
