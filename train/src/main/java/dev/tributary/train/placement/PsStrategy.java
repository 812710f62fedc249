package dev.tributary.train.placement;

import dev.tributary.graph.DeviceFunction.Candidate;

/**
 * Chooses the parameter server for each operation that belongs on one. It may count what it has
 * placed, so each graph needs its own, confined to the thread that builds the graph. All workers
 * must come to the same choices when they build the same graph.
 */
@FunctionalInterface
public interface PsStrategy {
  /** The task for an operation, from 0 to the number of parameter servers. */
  int task(Candidate operation);
}
