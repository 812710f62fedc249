package dev.tributary.cluster.master;

import dev.tributary.cluster.spec.Limits;
import dev.tributary.error.TimeText;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.StatePlacement;
import java.time.Duration;

/**
 * Settings of a master.
 *
 * @param sessionCreationTimeout how long a new session waits for tasks that are not up
 * @param waitingLogInterval how often it logs which ones are missing
 * @param callTimeout how long a worker may take to make a graph or a session ready
 * @param stepTimeout how long a step may take whose client says nothing else
 * @param failureGrace how long a step that has failed waits for workers that do not answer
 * @param closeTimeout how long closing a session waits for its steps, and then for its workers
 * @param mostPreparedSteps how many kinds of steps a session keeps ready; the one that was used
 *     longest ago goes first
 * @param limits how many sessions there may be, and how large their graphs
 * @param statePlacement where variables go that ask for no task
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
    StatePlacement statePlacement) {
  public MasterOptions {
    requirePositive("sessionCreationTimeout", sessionCreationTimeout);
    requirePositive("waitingLogInterval", waitingLogInterval);
    requirePositive("callTimeout", callTimeout);
    requirePositive("stepTimeout", stepTimeout);
    requirePositive("failureGrace", failureGrace);
    requirePositive("closeTimeout", closeTimeout);
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
        StatePlacement.FIRST_TASK);
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
        statePlacement);
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
        statePlacement);
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
        statePlacement);
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
        statePlacement);
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
        statePlacement);
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
        statePlacement);
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
        statePlacement);
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
        choice);
  }

  private static void requirePositive(String name, Duration limit) {
    if (limit.isZero() || limit.isNegative()) {
      throw TributaryException.invalidArgument(
          "%s must be more than 0, got %s", name, TimeText.of(limit));
    }
  }
}
