package dev.tributary.train.placement;

import dev.tributary.graph.DeviceFunction.Candidate;

/**
 * A choice of the parameter server for each operation that belongs on one. It may count what it has
 * placed, so each graph needs its own, confined to the thread that builds the graph. It must make
 * the same choices in all workers that build the same graph.
 */
@FunctionalInterface
public interface PsStrategy {
  /** Returns the task for an operation, from 0 to the number of parameter servers minus one. */
  int task(Candidate operation);
}
