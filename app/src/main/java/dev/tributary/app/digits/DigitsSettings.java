package dev.tributary.app.digits;

import dev.tributary.session.BackendChoice;
import dev.tributary.train.consistency.Consistency;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What all ways of training have in common.
 *
 * @param consistency how the workers keep together
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
    Consistency consistency,
    Optional<Path> logdir,
    Duration saveEvery) {
  /** The batches of the training. */
  private int batches() {
    return epochs * ((data.training().size() + batch - 1) / batch);
  }

  /** The steps of the model in the training: synchronous ones take a batch from each worker. */
  long globalSteps(int workers) {
    return batchesIn(consistency.gradientsPerStep(workers));
  }

  /** About how many steps each worker makes. */
  int stepsOfWorker(int workers) {
    boolean together = consistency instanceof Consistency.Sync;
    return batchesIn(together ? consistency.gradientsPerStep(workers) : workers);
  }

  private int batchesIn(int share) {
    return (batches() + share - 1) / share;
  }
}
