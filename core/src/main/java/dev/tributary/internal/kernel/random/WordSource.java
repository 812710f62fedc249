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
}
