package dev.tributary.train.replica;

import dev.tributary.error.TributaryException;

/**
 * How many workers take part in synchronous training, and how many gradients make a step.
 *
 * @param toAggregate the gradients of a step; fewer than {@code total} leaves backup workers, more
 *     lets workers compute several
 * @param total the workers
 */
record Replicas(int toAggregate, int total) {
  Replicas {
    if (toAggregate < 1 || total < 1) {
      throw TributaryException.invalidArgument(
          "synchronous training needs at least one replica and one gradient for each step, got %d"
              + " replicas and %d gradients",
          total, toAggregate);
    }
  }

  /** The gradients that a step waits for when some workers have left for good. */
  int required(int departed) {
    if (total >= toAggregate) {
      return Math.max(1, Math.min(toAggregate, total - departed));
    }
    int share = (toAggregate + total - 1) / total;
    return Math.max(1, toAggregate - departed * share);
  }

  /** The tokens that a step gives out, each of which lets a worker compute one gradient. */
  int tokens(int departed) {
    return total >= toAggregate ? Math.max(1, total - departed) : required(departed);
  }

  /** The tokens without which the first step would never get enough gradients. */
  int initialTokens() {
    return Math.max(0, toAggregate - total);
  }
}
