package dev.tributary.internal.kernel.data;

import dev.tributary.internal.kernel.random.Philox;

/**
 * Numbers of a Philox stream, one word at a time. Confined to one thread, but for the one that
 * others are split from.
 */
final class RandomWords {
  private static final int WORDS_PER_BLOCK = 4;

  private final int[] block = new int[WORDS_PER_BLOCK];
  private long seed;
  private long seed2;
  private Philox philox;
  private long taken;

  RandomWords(long seed, long seed2) {
    begin(seed, seed2, 0);
  }

  private void begin(long first, long second, long position) {
    seed = first;
    seed2 = second;
    taken = position;
    philox = Philox.ofSeeds(first, second);
    philox.skip(position / WORDS_PER_BLOCK);
    if (position % WORDS_PER_BLOCK != 0) {
      philox.fill(block, 1);
    }
  }

  /** The words of the next pass. */
  synchronized RandomWords split() {
    return new RandomWords(next(), next());
  }

  /** The same words from the beginning. */
  synchronized RandomWords again() {
    return new RandomWords(seed, seed2);
  }

  synchronized void save(StateWriter writer) {
    writer.number(seed);
    writer.number(seed2);
    writer.number(taken);
  }

  synchronized void restore(StateReader reader) {
    begin(reader.number(), reader.number(), Math.max(0, reader.number()));
  }

  /** The next word, unsigned. */
  long next() {
    int at = (int) (taken++ % WORDS_PER_BLOCK);
    if (at == 0) {
      philox.fill(block, 1);
    }
    return Integer.toUnsignedLong(block[at]);
  }
}
