package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.cluster.spec.Limits;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.StatePlacement;
import dev.tributary.internal.concurrent.TimeText;
import java.time.Duration;

/**
 * Settings of a master.
 *
 * @param sessionCreationTimeout how long a new session waits for tasks that are not up
 * @param waitingLogInterval how often it logs which ones are missing
 * @param callTimeout how long a worker may take to make a graph or a session ready
 * @param stepTimeout how long a step may take whose client says nothing else
 * @param failureGrace how long a step that has failed waits for workers that do not answer
 * @param closeTimeout how long closing a session waits: half of it for its steps, then for its
 *     workers
 * @param mostPreparedSteps how many kinds of steps a session keeps ready; the one that was used
 *     longest ago goes first
 * @param limits how many sessions there may be, and how large their graphs
 * @param memory counts the constants of their graphs
 * @param statePlacement where variables go that ask for no task
 * @param sessionLease how long a session lasts whose client has asked for a lease and is silent
 * @param sessionIdleLimit how long one lasts whose client has not asked for one
 */
public record MasterOptions(
    Duration sessionCreationTimeout,
    Duration waitingLogInterval,
    Duration callTimeout,
    Duration stepTimeout,
    Duration failureGrace,
    Duration closeTimeout,
    int mostPreparedSteps,
    Limits limits,
    TaskMemory memory,
    StatePlacement statePlacement,
    Duration sessionLease,
    Duration sessionIdleLimit) {
  public MasterOptions {
    requirePositive("sessionCreationTimeout", sessionCreationTimeout);
    requirePositive("waitingLogInterval", waitingLogInterval);
    requirePositive("callTimeout", callTimeout);
    requirePositive("stepTimeout", stepTimeout);
    requirePositive("failureGrace", failureGrace);
    requirePositive("closeTimeout", closeTimeout);
    requirePositive("sessionLease", sessionLease);
    requirePositive("sessionIdleLimit", sessionIdleLimit);
    if (mostPreparedSteps < 1) {
      throw TributaryException.invalidArgument(
          "mostPreparedSteps must be 1 or more, got %d", mostPreparedSteps, limits);
    }
  }

  public static MasterOptions defaults() {
    return new MasterOptions(
        Duration.ofMinutes(5),
        Duration.ofSeconds(10),
        Duration.ofMinutes(5),
        Duration.ofHours(1),
        Duration.ofSeconds(10),
        Duration.ofSeconds(10),
        1000,
        Limits.defaults(),
        TaskMemory.unlimited(),
        StatePlacement.FIRST_TASK,
        Duration.ofMinutes(5),
        Duration.ofHours(24));
  }

  public MasterOptions withSessionCreationTimeout(Duration limit) {
    return new MasterOptions(
        limit,
        waitingLogInterval,
        callTimeout,
        stepTimeout,
        failureGrace,
        closeTimeout,
        mostPreparedSteps,
        limits,
        memory,
        statePlacement,
        sessionLease,
        sessionIdleLimit);
  }

  public MasterOptions withCallTimeout(Duration limit) {
    return new MasterOptions(
        sessionCreationTimeout,
        waitingLogInterval,
        limit,
        stepTimeout,
        failureGrace,
        closeTimeout,
        mostPreparedSteps,
        limits,
        memory,
        statePlacement,
        sessionLease,
        sessionIdleLimit);
  }

  public MasterOptions withStepTimeout(Duration limit) {
    return new MasterOptions(
        sessionCreationTimeout,
        waitingLogInterval,
        callTimeout,
        limit,
        failureGrace,
        closeTimeout,
        mostPreparedSteps,
        limits,
        memory,
        statePlacement,
        sessionLease,
        sessionIdleLimit);
  }

  public MasterOptions withFailureGrace(Duration limit) {
    return new MasterOptions(
        sessionCreationTimeout,
        waitingLogInterval,
        callTimeout,
        stepTimeout,
        limit,
        closeTimeout,
        mostPreparedSteps,
        limits,
        memory,
        statePlacement,
        sessionLease,
        sessionIdleLimit);
  }

  public MasterOptions withCloseTimeout(Duration limit) {
    return new MasterOptions(
        sessionCreationTimeout,
        waitingLogInterval,
        callTimeout,
        stepTimeout,
        failureGrace,
        limit,
        mostPreparedSteps,
        limits,
        memory,
        statePlacement,
        sessionLease,
        sessionIdleLimit);
  }

  public MasterOptions withMostPreparedSteps(int most) {
    return new MasterOptions(
        sessionCreationTimeout,
        waitingLogInterval,
        callTimeout,
        stepTimeout,
        failureGrace,
        closeTimeout,
        most,
        limits,
        memory,
        statePlacement,
        sessionLease,
        sessionIdleLimit);
  }

  public MasterOptions withLimits(Limits settings) {
    return new MasterOptions(
        sessionCreationTimeout,
        waitingLogInterval,
        callTimeout,
        stepTimeout,
        failureGrace,
        closeTimeout,
        mostPreparedSteps,
        settings,
        memory,
        statePlacement,
        sessionLease,
        sessionIdleLimit);
  }

  public MasterOptions withMemory(TaskMemory ofTask) {
    return new MasterOptions(
        sessionCreationTimeout,
        waitingLogInterval,
        callTimeout,
        stepTimeout,
        failureGrace,
        closeTimeout,
        mostPreparedSteps,
        limits,
        ofTask,
        statePlacement,
        sessionLease,
        sessionIdleLimit);
  }

  public MasterOptions withStatePlacement(StatePlacement choice) {
    return new MasterOptions(
        sessionCreationTimeout,
        waitingLogInterval,
        callTimeout,
        stepTimeout,
        failureGrace,
        closeTimeout,
        mostPreparedSteps,
        limits,
        memory,
        choice,
        sessionLease,
        sessionIdleLimit);
  }

  /** Sets the time that sessions of silent clients last: with a lease, and without one. */
  public MasterOptions withSessionLimits(Duration lease, Duration idle) {
    return new MasterOptions(
        sessionCreationTimeout,
        waitingLogInterval,
        callTimeout,
        stepTimeout,
        failureGrace,
        closeTimeout,
        mostPreparedSteps,
        limits,
        memory,
        statePlacement,
        lease,
        idle);
  }

  private static void requirePositive(String name, Duration limit) {
    if (limit.isZero() || limit.isNegative()) {
      throw TributaryException.invalidArgument(
          "%s must be more than 0, got %s", name, TimeText.of(limit));
    }
  }
}
