package dev.tributary.tensor;

import java.util.Arrays;

/**
 * The addresses of free blocks of one size class, last in first out. Guarded by its own monitor.
 */
final class FreeList {
  /** What {@link #pop} gives when there is no block; native memory never begins there. */
  static final long NONE = 0;

  private long[] blocks = new long[8];
  private int count;

  synchronized long pop() {
    return count == 0 ? NONE : blocks[--count];
  }

  synchronized void push(long block) {
    if (count == blocks.length) {
      blocks = Arrays.copyOf(blocks, 2 * count);
    }
    blocks[count++] = block;
  }
}
