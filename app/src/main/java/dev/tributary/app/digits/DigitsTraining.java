package dev.tributary.app.digits;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.session.Session;
import dev.tributary.session.StepCallable;
import dev.tributary.session.StepResult;
import dev.tributary.train.replica.ReplicatedOptimizer;
import dev.tributary.train.replica.Staleness;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The loop over batches of the input. */
record DigitsTraining(DigitsNetwork network, Session session) {
  /** The work of one worker. */
  record Outcome(int steps, float lastLoss, long globalStep) {}

  /** Called after each step. */
  interface StepListener {
    void stepped(long globalStep, float loss, Duration time);
  }

  /** The steps that all workers have made together. */
  long globalStep() {
    try (StepResult result = session.runner().fetch(network.step()).run()) {
      return result.get(0).longValue();
    }
  }

  /** The learning rate of the next step. */
  float rate() {
    try (StepResult result = session.runner().fetch(network.rate()).run()) {
      return result.get(0).floatValue();
    }
  }

  /**
   * Trains until all workers together have made so many steps. Fails with INVALID_ARGUMENT if the
   * loss is not a number.
   *
   * @param shouldStop asked before each step
   */
  Outcome train(long globalSteps, BooleanSupplier shouldStop, StepListener listener) {
    float loss = Float.NaN;
    int steps = 0;
    long globalStep = 0;
    try (StepCallable train =
        session.prepare(List.of(), List.of(network.loss(), network.trained()), List.of())) {
      while (globalStep < globalSteps && !shouldStop.getAsBoolean()) {
        long start = System.nanoTime();
        try (StepResult result = train.run()) {
          loss = result.get(0).floatValue();
          globalStep = result.get(1).longValue();
        }
        if (!Float.isFinite(loss)) {
          throw new TributaryException(
              ErrorCode.DATA_LOSS,
              String.format(
                  "the loss is %s at step %d, so the training has failed; try again with a lower"
                      + " --rate and, if there is a --logdir, with --start-over: its last"
                      + " checkpoint may hold values that are not numbers",
                  loss, globalStep));
        }
        steps++;
        listener.stepped(globalStep, loss, Duration.ofNanos(System.nanoTime() - start));
      }
    }
    return new Outcome(steps, loss, globalStep);
  }

  /**
   * The age of all workers' gradients, and the number of those that came too late; none where the
   * replicas of a strategy train in step.
   */
  Optional<DigitsReport.Staleness> staleness() {
    return network.replicas().map(ReplicatedOptimizer::staleness).map(this::measured);
  }

  private DigitsReport.Staleness measured(Staleness measured) {
    try (StepResult result =
        session.runner().fetch(measured.mean()).fetch(measured.dropped()).run()) {
      return new DigitsReport.Staleness(result.get(0).floatValue(), result.get(1).longValue());
    }
  }
}
