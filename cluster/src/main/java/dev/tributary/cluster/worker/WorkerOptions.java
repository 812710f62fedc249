package dev.tributary.cluster.worker;

import dev.tributary.cluster.spec.Limits;
import java.time.Duration;

/**
 * @param abortDelay how long after a failure or a caller's cancellation other tasks that wait for
 *     the step are told, so that its master learns the reason first
 * @param closeLimit how long closing waits for steps that do not heed their cancellation
 * @param transferTimeout how long a step waits for a value of another task
 * @param pushesTensors whether values go to other tasks unasked if the master and they can do so,
 *     too
 * @param briefTask what part of a graph may take to run on the thread of a caller; nothing if all
 *     runs on threads of the worker
 * @param limits how many sessions there may be, and how large their graphs
 */
public record WorkerOptions(
    Duration abortDelay,
    Duration closeLimit,
    Duration transferTimeout,
    boolean pushesTensors,
    Duration briefTask,
    Limits limits) {
  public static WorkerOptions defaults() {
    return new WorkerOptions(
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        Duration.ofHours(1),
        true,
        Duration.ofMillis(1),
        Limits.defaults());
  }

  public WorkerOptions withAbortDelay(Duration delay) {
    return new WorkerOptions(delay, closeLimit, transferTimeout, pushesTensors, briefTask, limits);
  }

  public WorkerOptions withCloseLimit(Duration limit) {
    return new WorkerOptions(abortDelay, limit, transferTimeout, pushesTensors, briefTask, limits);
  }

  public WorkerOptions withTransferTimeout(Duration limit) {
    return new WorkerOptions(abortDelay, closeLimit, limit, pushesTensors, briefTask, limits);
  }

  public WorkerOptions withPushedTensors(boolean wanted) {
    return new WorkerOptions(abortDelay, closeLimit, transferTimeout, wanted, briefTask, limits);
  }

  public WorkerOptions withBriefTask(Duration longest) {
    return new WorkerOptions(
        abortDelay, closeLimit, transferTimeout, pushesTensors, longest, limits);
  }

  public WorkerOptions withLimits(Limits settings) {
    return new WorkerOptions(
        abortDelay, closeLimit, transferTimeout, pushesTensors, briefTask, settings);
  }
}
