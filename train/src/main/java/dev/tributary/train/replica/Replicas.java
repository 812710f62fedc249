package dev.tributary.train.replica;

import dev.tributary.error.TributaryException;

/**
 * The numbers of replicas and of gradients in synchronous training.
 *
 * @param toAggregate the gradients of a step; if fewer than {@code total}, the rest are backup
 *     workers; if more, workers compute several gradients
 * @param total the number of workers
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

  /** Returns whether workers compute several gradients for a step, and so share one token queue. */
  boolean shareTokens() {
    return total < toAggregate;
  }

  /** Returns the number of gradients that a step waits for when some workers are gone. */
  int required(int departed) {
    if (!shareTokens()) {
      return Math.max(1, Math.min(toAggregate, total - departed));
    }
    int share = (toAggregate + total - 1) / total;
    return Math.max(1, toAggregate - departed * share);
  }

  /** Returns the tokens that a step gives out, each of which lets a worker compute one gradient. */
  int tokens(int departed) {
    return shareTokens() ? required(departed) : Math.max(1, total - departed);
  }

  /** Returns the tokens without which the first step would never get enough gradients. */
  int initialTokens() {
    return Math.max(0, toAggregate - total);
  }
}
