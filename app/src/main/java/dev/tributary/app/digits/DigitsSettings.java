package dev.tributary.app.digits;

import dev.tributary.session.BackendChoice;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What all ways of training have in common.
 *
 * @param sync whether the workers make each step together
 * @param logdir where checkpoints and events go
 * @param saveEvery the time between checkpoints
 */
record DigitsSettings(
    DigitData data,
    int epochs,
    int batch,
    float rate,
    int seed,
    BackendChoice backend,
    boolean sync,
    Optional<Path> logdir,
    Duration saveEvery) {
  /** The batches of the training. */
  private int batches() {
    return epochs * ((data.training().size() + batch - 1) / batch);
  }

  /** The steps of the training: synchronous ones take a batch from each worker. */
  long globalSteps(int workers) {
    return sync ? stepsOfWorker(workers) : batches();
  }

  /** About how many steps each worker makes. */
  int stepsOfWorker(int workers) {
    return (batches() + workers - 1) / workers;
  }
}
