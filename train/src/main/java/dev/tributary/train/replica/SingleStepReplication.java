package dev.tributary.train.replica;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.train.hook.SessionRunHook;
import java.time.Duration;
import java.util.Optional;

/**
 * Training in which each gradient makes a step of its own, and what goes with it.
 *
 * @param train applies this worker's gradients, counts and measures, and waits where workers wait
 * @param chiefInit sets what workers share beside the model
 * @param chiefMissing the names of what {@code chiefInit} has not set
 * @param membership how this worker comes in and leaves, if workers wait for each other
 */
record SingleStepReplication(
    Operation train,
    Operation chiefInit,
    Output chiefMissing,
    Staleness staleness,
    Optional<SspMembership> membership,
    Liveness liveness)
    implements Replication {
  /** Nobody needs the chief after its end, so it does not wait. */
  @Override
  public SessionRunHook chiefHook(Duration endWait) {
    return new SingleStepHook(this, true);
  }

  @Override
  public SessionRunHook workerHook() {
    return new SingleStepHook(this, false);
  }
}
