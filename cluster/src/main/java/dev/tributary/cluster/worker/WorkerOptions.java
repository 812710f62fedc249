package dev.tributary.cluster.worker;

import java.time.Duration;

/**
 * @param abortDelay how long after a failure or a caller's cancellation other tasks that wait for
 *     the step are told, so that its master learns the reason first
 * @param closeLimit how long closing waits for steps that do not heed their cancellation
 * @param transferTimeout how long a step waits for a value of another task
 */
public record WorkerOptions(Duration abortDelay, Duration closeLimit, Duration transferTimeout) {
  public static WorkerOptions defaults() {
    return new WorkerOptions(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofHours(1));
  }

  public WorkerOptions withCloseLimit(Duration limit) {
    return new WorkerOptions(abortDelay, limit, transferTimeout);
  }

  public WorkerOptions withTransferTimeout(Duration limit) {
    return new WorkerOptions(abortDelay, closeLimit, limit);
  }
}
