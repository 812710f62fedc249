package dev.tributary.app.digits;

import dev.tributary.session.SessionOptions;
import dev.tributary.train.distribute.Strategy;
import dev.tributary.train.replica.Consistency;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Settings that all ways of training have in common.
 *
 * @param session options of sessions
 * @param consistency the consistency of the workers
 * @param strategy the strategy of a training in this process, if it has one
 * @param logdir where checkpoints and events go
 * @param saveEvery the time between checkpoints
 */
record DigitsSettings(
    DigitData data,
    int epochs,
    int batch,
    float rate,
    int seed,
    SessionOptions session,
    Consistency consistency,
    Optional<Strategy> strategy,
    Optional<Path> logdir,
    Duration saveEvery) {
  /** The batches of the training. */
  private int batches() {
    return epochs * ((data.training().size() + batch - 1) / batch);
  }

  /** The steps of the model in the training: synchronous ones take a batch from each worker. */
  long globalSteps(int workers) {
    int share = consistency.gradientsPerStep(workers);
    return (batches() + share - 1L) / share;
  }
}
