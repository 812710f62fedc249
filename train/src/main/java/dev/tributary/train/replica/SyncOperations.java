package dev.tributary.train.replica;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;

/**
 * Operations that chief and workers run beside their training steps. Immutable; {@link
 * SyncReplicasOptimizer} builds them.
 */
final class SyncOperations {
  private final Output globalStep;
  private final Operation chiefInit;
  private final Operation localInit;
  private final Output readyForLocalInit;
  private final Output readyForWorkers;
  private final Operation leave;
  private final Operation release;
  private final ChiefOperations chief;
  private final Staleness staleness;

  SyncOperations(
      Output globalStep,
      Operation chiefInit,
      Operation localInit,
      Output readyForLocalInit,
      Output readyForWorkers,
      Operation leave,
      Operation release,
      ChiefOperations chief,
      Staleness staleness) {
    this.globalStep = globalStep;
    this.chiefInit = chiefInit;
    this.localInit = localInit;
    this.readyForLocalInit = readyForLocalInit;
    this.readyForWorkers = readyForWorkers;
    this.leave = leave;
    this.release = release;
    this.chief = chief;
    this.staleness = staleness;
  }

  /** Returns the chief's local initialization, which also initializes what workers share. */
  Operation chiefInit() {
    return chiefInit;
  }

  /** Returns the local initialization of other workers; it fails before {@link #chiefInit}. */
  Operation localInit() {
    return localInit;
  }

  /** Returns the names of uninitialized global variables, which local initialization needs. */
  Output readyForLocalInit() {
    return readyForLocalInit;
  }

  /**
   * Returns the names of variables that {@link #chiefInit} has not initialized yet. Other workers
   * run {@link #localInit} when it is empty.
   */
  Output readyForWorkers() {
    return readyForWorkers;
  }

  /** Returns measurements of stale gradients. */
  Staleness staleness() {
    return staleness;
  }

  /**
   * Returns the operation that a worker runs once, after its last training step, so that the others
   * no longer wait for its gradients.
   */
  Operation leave() {
    return leave;
  }

  /** Returns the operation that ends a training step of this worker that waits for a token. */
  Operation release() {
    return release;
  }

  Output globalStep() {
    return globalStep;
  }

  /** Returns what {@link SyncRunner} runs. */
  ChiefOperations chief() {
    return chief;
  }
}
