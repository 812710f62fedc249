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

  double nextDouble() {
    int high = next();
    return Uniform.toDouble(high, next());
  }
}
