package dev.tributary.train.replica;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import java.util.Optional;

/**
 * What chief and workers run beside their training steps. Immutable; {@link SyncReplicasOptimizer}
 * makes it.
 */
public final class SyncOperations {
  private final Output globalStep;
  private final Operation chiefInit;
  private final Operation localInit;
  private final Output readyForLocalInit;
  private final Output chiefMissing;
  private final Operation leave;
  private final Optional<Beat> beat;
  private final ChiefOperations chief;
  private final Staleness staleness;

  SyncOperations(
      Output globalStep,
      Operation chiefInit,
      Operation localInit,
      Output readyForLocalInit,
      Output chiefMissing,
      Operation leave,
      Optional<Beat> beat,
      ChiefOperations chief,
      Staleness staleness) {
    this.globalStep = globalStep;
    this.chiefInit = chiefInit;
    this.localInit = localInit;
    this.readyForLocalInit = readyForLocalInit;
    this.chiefMissing = chiefMissing;
    this.leave = leave;
    this.beat = beat;
    this.chief = chief;
    this.staleness = staleness;
  }

  /** The chief's local initialisation: its local step, and the step of all accumulators. */
  public Operation chiefInit() {
    return chiefInit;
  }

  /** Another worker's local initialisation: its local step. */
  public Operation localInit() {
    return localInit;
  }

  /** The names of global variables without a value; local initialisation waits till it is empty. */
  public Output readyForLocalInit() {
    return readyForLocalInit;
  }

  /** The names of what {@link #chiefInit} has not set; other workers begin when it is empty. */
  public Output chiefMissing() {
    return chiefMissing;
  }

  /** How old gradients are when they make a step, and how many are dropped. */
  public Staleness staleness() {
    return staleness;
  }

  /**
   * Says that this worker will bring no more gradients, so that the others do not wait for it. It
   * is run once by a worker at the end of its input, after its last training step.
   */
  public Operation leave() {
    return leave;
  }

  Output globalStep() {
    return globalStep;
  }

  /** How this worker says that it is alive, where that matters. */
  Optional<Beat> beat() {
    return beat;
  }

  /** What {@link SyncRunner} runs. */
  ChiefOperations chief() {
    return chief;
  }
}
