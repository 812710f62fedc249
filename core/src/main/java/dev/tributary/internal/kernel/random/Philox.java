package dev.tributary.internal.kernel.random;

/**
 * A stream of 128-bit random blocks by the Philox 4x32-10 cipher: block {@code n} is the counter
 * {@code start + n} encrypted under a 64-bit key, so any part of the stream can be reached by
 * {@link #skip} without making what lies before it.
 *
 * <p>Confined to one thread; {@link #copy} gives another thread its own position.
 */
public final class Philox {
  static final int WORDS_PER_BLOCK = 4;

  private static final long WORD = 0xffffffffL;
  private static final long MULTIPLIER_0 = 0xD2511F53L;
  private static final long MULTIPLIER_2 = 0xCD9E8D57L;
  private static final int KEY_STEP_0 = 0x9E3779B9;
  private static final int KEY_STEP_1 = 0xBB67AE85;
  private static final int ROUNDS = 10;

  /**
   * The key under which stateless ops encrypt the user's seed, so that weak seeds still give
   * unrelated streams.
   */
  private static final long SCRAMBLING_KEY = 0x02461e293ec8f720L;

  private final long key;
  private long counterLow;
  private long counterHigh;

  public Philox(long key, long counterLow, long counterHigh) {
    this.key = key;
    this.counterLow = counterLow;
    this.counterHigh = counterHigh;
  }

  /** The stream of a stateful op with these attributes. */
  public static Philox ofSeeds(long seed, long seed2) {
    return new Philox(seed, 0, seed2);
  }

  /**
   * The stream of a stateless op whose seed tensor holds these two numbers; 32-bit seeds are
   * widened with their sign.
   */
  public static Philox ofStatelessSeed(long seed0, long seed1) {
    int[] mixed = new int[WORDS_PER_BLOCK];
    new Philox(SCRAMBLING_KEY, seed0, seed1).fill(mixed, 1);
    return new Philox(join(mixed[0], mixed[1]), 0, join(mixed[2], mixed[3]));
  }

  public long key() {
    return key;
  }

  /** The lower half of the position, which counts blocks from 0 in the streams made from seeds. */
  public long counterLow() {
    return counterLow;
  }

  public long counterHigh() {
    return counterHigh;
  }

  public Philox copy() {
    return new Philox(key, counterLow, counterHigh);
  }

  /** Moves past this many blocks, an unsigned number. */
  public void skip(long blocks) {
    counterLow += blocks;
    if (Long.compareUnsigned(counterLow, blocks) < 0) {
      counterHigh++;
    }
  }

  /** Writes the next blocks to the front of {@code words}, four words each, and moves past them. */
  public void fill(int[] words, int blocks) {
    final int key0 = (int) key;
    final int key1 = (int) (key >>> 32);
    long low = counterLow;
    long high = counterHigh;
    for (int at = 0; at < WORDS_PER_BLOCK * blocks; at += WORDS_PER_BLOCK) {
      int x0 = (int) low;
      int x1 = (int) (low >>> 32);
      int x2 = (int) high;
      int x3 = (int) (high >>> 32);
      int k0 = key0;
      int k1 = key1;
      for (int round = 0; round < ROUNDS; round++) {
        final long product0 = MULTIPLIER_0 * (x0 & WORD);
        final long product2 = MULTIPLIER_2 * (x2 & WORD);
        x0 = (int) (product2 >>> 32) ^ x1 ^ k0;
        x1 = (int) product2;
        x2 = (int) (product0 >>> 32) ^ x3 ^ k1;
        x3 = (int) product0;
        k0 += KEY_STEP_0;
        k1 += KEY_STEP_1;
      }
      words[at] = x0;
      words[at + 1] = x1;
      words[at + 2] = x2;
      words[at + 3] = x3;
      if (++low == 0) {
        high++;
      }
    }
    counterLow = low;
    counterHigh = high;
  }

  static long join(int low, int high) {
    return low & WORD | (long) high << 32;
  }
}
