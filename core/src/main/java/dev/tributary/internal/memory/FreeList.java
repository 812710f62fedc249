package dev.tributary.internal.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;

/**
 * The addresses of free blocks of one size class, last in first out, so that those that nobody
 * needs stay at the bottom. Guarded by its own monitor.
 */
final class FreeList {
  /** The result of {@link #pop} when there is no block; native memory never begins there. */
  static final long NONE = 0;

  @GuardedBy("this")
  private long[] blocks = new long[8];

  @GuardedBy("this")
  private int count;

  /** The fewest blocks that there were since {@link #takeIdle}. */
  @GuardedBy("this")
  private int idle;

  synchronized long pop() {
    if (count == 0) {
      return NONE;
    }
    count--;
    if (count < idle) {
      idle = count;
    }
    return blocks[count];
  }

  synchronized void push(long block) {
    if (count == blocks.length) {
      blocks = Arrays.copyOf(blocks, 2 * count);
    }
    blocks[count++] = block;
  }

  /** Takes out the blocks that nobody has needed since the last call. */
  synchronized long[] takeIdle() {
    long[] taken = Arrays.copyOf(blocks, idle);
    count -= idle;
    System.arraycopy(blocks, idle, blocks, 0, count);
    idle = count;
    return taken;
  }
}
