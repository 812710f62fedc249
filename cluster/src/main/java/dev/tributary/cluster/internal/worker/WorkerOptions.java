package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.spec.Limits;
import dev.tributary.cluster.spec.TaskName;
import java.time.Duration;
import java.util.Optional;

/**
 * @param abortDelay how long after a failure or a caller's cancellation other tasks that wait for
 *     the step are told, so that its master learns the reason first
 * @param closeLimit the time that closing waits for steps that were cancelled
 * @param transferTimeout how long a step waits for a value of another task
 * @param unclaimedTimeout how long a value that came unasked waits for its step to begin
 * @param pushesTensors whether values go to other tasks unasked if the master and they can do so,
 *     too
 * @param briefTask what part of a graph may take to run on the thread of a caller; nothing if all
 *     runs on threads of the worker
 * @param executionThreads how many threads the pool has, all of which one session may use while no
 *     other wants them
 * @param masterLease how long a session outlives the last sign of life of its master
 * @param idleLimit the same for a session whose master cannot be asked, and that nobody uses
 * @param limits how many sessions there may be, and how large their graphs
 * @param collectiveLeader the task at which the members of collectives find each other; without it,
 *     chief 0, else worker 0, else the first task of the cluster
 */
public record WorkerOptions(
    Duration abortDelay,
    Duration closeLimit,
    Duration transferTimeout,
    Duration unclaimedTimeout,
    boolean pushesTensors,
    Duration briefTask,
    int executionThreads,
    Duration masterLease,
    Duration idleLimit,
    Limits limits,
    Optional<TaskName> collectiveLeader) {
  public static WorkerOptions defaults() {
    return new WorkerOptions(
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        Duration.ofHours(1),
        Duration.ofSeconds(20),
        true,
        Duration.ofMillis(1),
        Runtime.getRuntime().availableProcessors(),
        Duration.ofMinutes(5),
        Duration.ofHours(24),
        Limits.defaults(),
        Optional.empty());
  }

  public WorkerOptions withAbortDelay(Duration delay) {
    return new WorkerOptions(
        delay,
        closeLimit,
        transferTimeout,
        unclaimedTimeout,
        pushesTensors,
        briefTask,
        executionThreads,
        masterLease,
        idleLimit,
        limits,
        collectiveLeader);
  }

  public WorkerOptions withCloseLimit(Duration limit) {
    return new WorkerOptions(
        abortDelay,
        limit,
        transferTimeout,
        unclaimedTimeout,
        pushesTensors,
        briefTask,
        executionThreads,
        masterLease,
        idleLimit,
        limits,
        collectiveLeader);
  }

  public WorkerOptions withTransferTimeout(Duration limit) {
    return new WorkerOptions(
        abortDelay,
        closeLimit,
        limit,
        unclaimedTimeout,
        pushesTensors,
        briefTask,
        executionThreads,
        masterLease,
        idleLimit,
        limits,
        collectiveLeader);
  }

  public WorkerOptions withUnclaimedTimeout(Duration limit) {
    return new WorkerOptions(
        abortDelay,
        closeLimit,
        transferTimeout,
        limit,
        pushesTensors,
        briefTask,
        executionThreads,
        masterLease,
        idleLimit,
        limits,
        collectiveLeader);
  }

  public WorkerOptions withPushedTensors(boolean wanted) {
    return new WorkerOptions(
        abortDelay,
        closeLimit,
        transferTimeout,
        unclaimedTimeout,
        wanted,
        briefTask,
        executionThreads,
        masterLease,
        idleLimit,
        limits,
        collectiveLeader);
  }

  public WorkerOptions withBriefTask(Duration longest) {
    return new WorkerOptions(
        abortDelay,
        closeLimit,
        transferTimeout,
        unclaimedTimeout,
        pushesTensors,
        longest,
        executionThreads,
        masterLease,
        idleLimit,
        limits,
        collectiveLeader);
  }

  public WorkerOptions withExecutionThreads(int count) {
    return new WorkerOptions(
        abortDelay,
        closeLimit,
        transferTimeout,
        unclaimedTimeout,
        pushesTensors,
        briefTask,
        count,
        masterLease,
        idleLimit,
        limits,
        collectiveLeader);
  }

  public WorkerOptions withSessionLimits(Duration lease, Duration idle) {
    return new WorkerOptions(
        abortDelay,
        closeLimit,
        transferTimeout,
        unclaimedTimeout,
        pushesTensors,
        briefTask,
        executionThreads,
        lease,
        idle,
        limits,
        collectiveLeader);
  }

  public WorkerOptions withLimits(Limits settings) {
    return new WorkerOptions(
        abortDelay,
        closeLimit,
        transferTimeout,
        unclaimedTimeout,
        pushesTensors,
        briefTask,
        executionThreads,
        masterLease,
        idleLimit,
        settings,
        collectiveLeader);
  }

  public WorkerOptions withCollectiveLeader(Optional<TaskName> leader) {
    return new WorkerOptions(
        abortDelay,
        closeLimit,
        transferTimeout,
        unclaimedTimeout,
        pushesTensors,
        briefTask,
        executionThreads,
        masterLease,
        idleLimit,
        limits,
        leader);
  }
}
