package dev.tributary.cluster.worker;

import java.time.Duration;

/**
 * @param abortDelay how long after a failure or a caller's cancellation other tasks that wait for
 *     the step are told, so that its master learns the reason first
 * @param closeLimit how long closing waits for steps that do not heed their cancellation
 */
public record WorkerOptions(Duration abortDelay, Duration closeLimit) {
  public static WorkerOptions defaults() {
    return new WorkerOptions(Duration.ofSeconds(1), Duration.ofSeconds(10));
  }
}
