package dev.tributary.train.sync;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;

/**
 * What chief and workers run beside their training steps. Immutable; {@link SyncReplicasOptimizer}
 * makes it.
 */
public final class SyncOperations {
  private final Operation chiefInit;
  private final Operation localInit;
  private final Output readyForLocalInit;
  private final Operation leave;
  private final ChiefOperations chief;

  SyncOperations(
      Operation chiefInit,
      Operation localInit,
      Output readyForLocalInit,
      Operation leave,
      ChiefOperations chief) {
    this.chiefInit = chiefInit;
    this.localInit = localInit;
    this.readyForLocalInit = readyForLocalInit;
    this.leave = leave;
    this.chief = chief;
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

  /**
   * Says that this worker will bring no more gradients, so that the others do not wait for it. It
   * is run once by a worker at the end of its input, after its last training step.
   */
  public Operation leave() {
    return leave;
  }

  /** What {@link SyncRunner} runs. */
  ChiefOperations chief() {
    return chief;
  }
}
