package dev.tributary.internal.kernel.random;

/** The words of a stream one by one. Confined to one thread. */
public final class WordSource {
  private final Philox stream;
  private final int[] block = new int[Philox.WORDS_PER_BLOCK];
  private int used = Philox.WORDS_PER_BLOCK;

  public WordSource(Philox stream) {
    this.stream = stream;
  }

  public int next() {
    if (used == Philox.WORDS_PER_BLOCK) {
      stream.fill(block, 1);
      used = 0;
    }
    return block[used++];
  }

  /** A float in [0, 1). */
  public float nextFloat() {
    return Uniform.toFloat(next());
  }

  /**
   * An integer from 0 to below {@code limit}, which is at least 1. Words that would favour small
   * numbers are skipped.
   */
  public int nextBelow(int limit) {
    if ((limit & limit - 1) == 0) {
      return next() & limit - 1;
    }
    int skipped = Integer.remainderUnsigned(-1, limit) + 1;
    int word = next();
    while (Integer.compareUnsigned(word, skipped) < 0) {
      word = next();
    }
    return Integer.remainderUnsigned(word, limit);
  }

  double nextDouble() {
    int high = next();
    return Uniform.toDouble(high, next());
  }

  private long nextLong() {
    int low = next();
    return Philox.join(low, next());
  }

  /** A number from 0 to below {@code size}, which is positive; all are equally likely. */
  long nextBelow(long size) {
    if ((size & size - 1) == 0) {
      return nextLong() & size - 1;
    }
    // The lowest are drawn again, so that as many are left for each number.
    long excess = Long.remainderUnsigned(-1, size) + 1;
    long word = nextLong();
    while (Long.compareUnsigned(word, excess) < 0) {
      word = nextLong();
    }
    return Long.remainderUnsigned(word, size);
  }
}
