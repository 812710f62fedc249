package dev.tributary.cluster.sim;

import dev.tributary.cluster.internal.protocol.RandomIds;
import java.util.Random;

/** Ids that are the same in each run of a seed. */
record SeededIds(Random random) implements RandomIds {
  @Override
  public long next() {
    return random.nextLong() | 1;
  }

  @Override
  public long nextSecret() {
    return random.nextLong();
  }
}
