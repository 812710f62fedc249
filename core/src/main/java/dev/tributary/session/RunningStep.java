package dev.tributary.session;

import dev.tributary.internal.concurrent.Pending;

/** A step that was started and may still run. Any thread may use it. */
public interface RunningStep extends AutoCloseable {
  /** A step whose session ends it through this result. */
  static RunningStep of(Pending<StepResult> pending) {
    return new StartedStep(pending);
  }

  boolean isDone();

  /** Waits for the step and gives its result, which the caller closes. Fails as the step failed. */
  StepResult await();

  /**
   * Asks the step to end with CANCELLED; does not wait for it, and does nothing if it has ended.
   */
  void cancel();

  /**
   * Cancels the step if it still runs, waits for its end, and gives back a result that nobody
   * awaited.
   */
  @Override
  void close();
}
