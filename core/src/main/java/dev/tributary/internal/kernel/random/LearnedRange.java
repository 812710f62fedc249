package dev.tributary.internal.kernel.random;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;

/**
 * Classes that are the likelier the more often they occurred; each has a weight of one before.
 * Memory is taken for the classes that occurred only. Guarded by its own monitor.
 */
final class LearnedRange implements CandidateRange {
  private final int size;

  /**
   * The counts learned so far, as a Fenwick tree: node {@code i} (from 1 on) holds the sum over the
   * {@code lowestOneBit(i)} classes that end with class {@code i - 1}. A node without an entry
   * holds 0.
   */
  @GuardedBy("this")
  private final Map<Long, Integer> learned = new HashMap<>();

  @GuardedBy("this")
  private int total;

  LearnedRange(int size) {
    this.size = size;
    this.total = size;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public synchronized long draw(WordSource words, int number) {
    long left = words.nextBelow(total);
    long node = 0;
    for (long step = Integer.highestOneBit(size); step > 0; step >>= 1) {
      long next = node + step;
      if (next <= size && weightOf(next) <= left) {
        node = next;
        left -= weightOf(next);
      }
    }
    return node;
  }

  @Override
  public synchronized double probability(long value) {
    return (float) (sumBelow(value + 1) - sumBelow(value)) / total;
  }

  @Override
  public synchronized void learn(long value) {
    if (total < Integer.MAX_VALUE) {
      total++;
      for (long node = value + 1; node <= size; node += Long.lowestOneBit(node)) {
        learned.merge(node, 1, Integer::sum);
      }
    }
  }

  @GuardedBy("this")
  private long weightOf(long node) {
    return Long.lowestOneBit(node) + learned.getOrDefault(node, 0);
  }

  @GuardedBy("this")
  private long sumBelow(long value) {
    long sum = 0;
    for (long node = value; node > 0; node -= Long.lowestOneBit(node)) {
      sum += weightOf(node);
    }
    return sum;
  }
}
