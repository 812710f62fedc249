package dev.tributary.internal.kernel.random;

import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * The attributes {@code seed} and {@code seed2} of a random op, as TensorFlow's clients derive them
 * from the seed of the graph and the seed given to the op. Both 0 stand for fresh randomness in
 * each session.
 */
public record OpSeeds(long seed, long seed2) {
  /** The graph seed of an op that has a seed of its own in a graph without one. */
  public static final long DEFAULT_GRAPH_SEED = 87654321;

  private static final long MODULUS = Integer.MAX_VALUE;
  private static final OpSeeds UNSPECIFIED = new OpSeeds(0, 0);

  /**
   * The attributes of a new op. {@code freshOpSeed} is asked only when the graph has a seed and the
   * op has none: it must give a number that follows from the graph's construction alone, such as a
   * count of the ops seeded so far or the last op's id.
   */
  public static OpSeeds of(OptionalLong graphSeed, OptionalLong opSeed, LongSupplier freshOpSeed) {
    if (graphSeed.isEmpty()) {
      return opSeed.isEmpty()
          ? UNSPECIFIED
          : new OpSeeds(DEFAULT_GRAPH_SEED, truncate(opSeed.getAsLong()));
    }
    long seed = truncate(graphSeed.getAsLong());
    long seed2 = truncate(opSeed.orElseGet(freshOpSeed));
    // Seeds were asked for, so the pair that means "none" must not come out.
    return seed == 0 && seed2 == 0 ? new OpSeeds(0, MODULUS) : new OpSeeds(seed, seed2);
  }

  private static long truncate(long seed) {
    return Math.floorMod(seed, MODULUS);
  }
}
