package dev.tributary.cluster.worker;

import dev.tributary.cluster.spec.Limits;
import java.time.Duration;

/**
 * @param abortDelay how long after a failure or a caller's cancellation other tasks that wait for
 *     the step are told, so that its master learns the reason first
 * @param closeLimit how long closing waits for steps that do not heed their cancellation
 * @param limits how many sessions there may be, and how large their graphs
 */
public record WorkerOptions(Duration abortDelay, Duration closeLimit, Limits limits) {
  public static WorkerOptions defaults() {
    return new WorkerOptions(Duration.ofSeconds(1), Duration.ofSeconds(10), Limits.defaults());
  }

  public WorkerOptions withLimits(Limits settings) {
    return new WorkerOptions(abortDelay, closeLimit, settings);
  }
}
