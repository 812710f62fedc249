package dev.tributary.internal.kernel.loop;

/**
 * Folds a sequence of tiles, element by element, without long chains: after {@link #RADIX} tiles
 * the result moves up a level, where the same holds. So a sum of n tiles has chains of 32 additions
 * a level instead of n. Confined to one loop.
 */
final class Cascade {
  private static final int RADIX = 32;
  private static final int LEVELS = 6;

  /** It uses the tiles in slots below this one. */
  static final int SLOTS = LEVELS + 1;

  private final FoldTile loop;
  private final Carrier carrier;
  private final Object[] levels = new Object[LEVELS];
  private final int[] lengths = new int[LEVELS];
  private final int[] added = new int[LEVELS];
  private Object free;

  Cascade(FoldTile loop, Carrier carrier, Tiles tiles) {
    this.loop = loop;
    this.carrier = carrier;
    for (int i = 0; i < LEVELS; i++) {
      levels[i] = tiles.tile(carrier, i);
    }
    free = tiles.tile(carrier, LEVELS);
  }

  /** The tile to be filled next. */
  Object free() {
    return free;
  }

  /** Takes in the first {@code count} elements of {@link #free}. */
  void add(int count) {
    fold(0, count);
    for (int level = 0; added[level] == RADIX && level + 1 < LEVELS; level++) {
      swap(level);
      int length = lengths[level];
      clear(level);
      fold(level + 1, length);
    }
  }

  /**
   * The result: what was added, with all rows of {@code columns} elements folded into the first.
   * Begins again.
   */
  Object finish(int columns) {
    int top = LEVELS - 1;
    while (lengths[top] == 0) {
      top--;
    }
    for (int level = 0; level < top; level++) {
      if (lengths[level] > 0) {
        swap(level);
        int length = lengths[level];
        clear(level);
        fold(top, length);
      }
    }
    Object tile = levels[top];
    int rows = lengths[top] / columns;
    clear(top);
    while (rows > 1) {
      int upper = rows / 2;
      int lower = rows - upper;
      carrier.copy(tile, lower * columns, free, 0, upper * columns);
      loop.run(tile, free, tile, upper * columns);
      rows = lower;
    }
    return tile;
  }

  /**
   * Folds the free tile into a level. Tiles may differ in length, as the last one of a run of rows
   * is shorter.
   */
  private void fold(int level, int count) {
    int length = lengths[level];
    if (length == 0) {
      swap(level);
      lengths[level] = count;
    } else {
      loop.run(levels[level], free, levels[level], Math.min(count, length));
      if (count > length) {
        carrier.copy(free, length, levels[level], length, count - length);
        lengths[level] = count;
      }
    }
    added[level]++;
  }

  private void swap(int level) {
    Object tile = levels[level];
    levels[level] = free;
    free = tile;
  }

  private void clear(int level) {
    lengths[level] = 0;
    added[level] = 0;
  }
}
