package dev.tributary.cluster.worker;

import java.time.Duration;

/**
 * @param abortDelay how long after a caller's cancellation the rest of the step is aborted, so that
 *     other tasks can tell their own reasons first
 * @param closeLimit how long closing waits for steps that do not heed their cancellation
 */
public record WorkerOptions(Duration abortDelay, Duration closeLimit) {
  public static WorkerOptions defaults() {
    return new WorkerOptions(Duration.ofSeconds(1), Duration.ofSeconds(10));
  }
}
