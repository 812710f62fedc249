package dev.tributary.internal.kernel.data;

/** Numbers of elements of datasets, as far as they are known without a pass. */
final class Cardinality {
  static final long INFINITE = -1;
  static final long UNKNOWN = -2;

  private Cardinality() {}

  static long ofRange(long start, long stop, long step) {
    boolean isEmpty = step > 0 ? start >= stop : start <= stop;
    return isEmpty ? 0 : (Math.abs(stop - start) - 1) / Math.abs(step) + 1;
  }

  static long repeat(long input, long count) {
    if (count == 0 || input == 0) {
      return 0;
    }
    if (count < 0 || input == INFINITE) {
      return input == UNKNOWN ? UNKNOWN : INFINITE;
    }
    return input < 0 ? input : input * count;
  }

  static long take(long input, long count) {
    if (count < 0) {
      return input;
    }
    return input == INFINITE ? count : input == UNKNOWN ? UNKNOWN : Math.min(input, count);
  }

  static long skip(long input, long count) {
    return count < 0 ? 0 : input < 0 ? input : Math.max(0, input - count);
  }

  static long shard(long input, long shards, long index) {
    return input < 0 ? input : input / shards + (index < input % shards ? 1 : 0);
  }

  static long batch(long input, long size, boolean dropsRemainder) {
    return input < 0 ? input : input / size + (input % size == 0 || dropsRemainder ? 0 : 1);
  }

  static long concatenate(long first, long second) {
    if (first == INFINITE || second == INFINITE) {
      return INFINITE;
    }
    return first == UNKNOWN || second == UNKNOWN ? UNKNOWN : first + second;
  }

  /** The number of elements of a dataset that ends with the first of two. */
  static long zip(long first, long second) {
    if (first == INFINITE) {
      return second;
    }
    if (second == INFINITE) {
      return first;
    }
    return first == UNKNOWN || second == UNKNOWN ? UNKNOWN : Math.min(first, second);
  }
}
