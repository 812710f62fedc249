package dev.tributary.internal.kernel.random;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.LongSupplier;

/**
 * The state of one stateful random kernel: where its stream stands. Each run reserves a stretch of
 * the stream, always longer than what it can use, so that the n-th run of a kernel gives the same
 * numbers however earlier runs were spread over threads.
 *
 * <p>Thread-safe: the position is guarded by this object's monitor. The streams handed out belong
 * to the caller.
 */
public final class GuardedPhilox {
  /**
   * Blocks reserved for each output element: room for what rejection may cost. Part of the numbers'
   * definition.
   */
  private static final long BLOCKS_PER_OUTPUT = 256;

  @GuardedBy("this")
  private final Philox position;

  private GuardedPhilox(Philox position) {
    this.position = position;
  }

  /**
   * The state of a new kernel with these attributes; when both are 0 the seeds are drawn from
   * {@code entropy}.
   */
  public static GuardedPhilox ofSeeds(long seed, long seed2, LongSupplier entropy) {
    boolean unspecified = seed == 0 && seed2 == 0;
    return new GuardedPhilox(
        unspecified
            ? Philox.ofSeeds(entropy.getAsLong(), entropy.getAsLong())
            : Philox.ofSeeds(seed, seed2));
  }

  /** The stream from here on, of which the caller may use {@code blocks} 128-bit blocks. */
  public synchronized Philox reserveBlocks(long blocks) {
    Philox reserved = position.copy();
    position.skip(blocks);
    return reserved;
  }

  /** As {@link #reserveBlocks}, for this many single 32-bit words. */
  public Philox reserveWords(long words) {
    return reserveBlocks((words + Philox.WORDS_PER_BLOCK - 1) / Philox.WORDS_PER_BLOCK);
  }

  /** As {@link #reserveBlocks}, for a {@link Distribution} to make this many elements. */
  public Philox reserveOutputs(long outputs) {
    return reserveBlocks(outputs * BLOCKS_PER_OUTPUT);
  }
}
