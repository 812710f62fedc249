package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import dev.tributary.session.SessionOptions;
import dev.tributary.train.hook.Interval;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The way in which an estimator runs: its files, sessions and role in a cluster. Immutable.
 *
 * <pre>{@code
 * RunConfig.defaults().withSaveCheckpoints(Interval.ofSteps(500)).withSeed(1)
 * }</pre>
 *
 * @param modelDir the model's folder; that of the environment, or else a temporary one, if empty
 * @param seed makes the random numbers of each graph the same in each run
 * @param saveSummarySteps the steps between two summaries; 0 for none
 * @param saveCheckpoints the interval of checkpoints, besides one at the end; none at all if empty
 * @param keepCheckpointMax the number of checkpoints to keep; 0 for all
 * @param keepCheckpointEvery one checkpoint of each such time is kept for ever
 * @param logStepCountSteps the steps between two lines of the log with the loss; 0 for none
 * @param session settings of all sessions
 * @param task the role of this process
 * @param sessionCreationTimeout the longest time that a worker waits for the chief
 * @param maxWorkerDelay the longest time by which workers start later, one after the other
 * @param insecure whether servers may listen where other machines reach them, and let anybody in
 */
public record RunConfig(
    Optional<Path> modelDir,
    OptionalInt seed,
    int saveSummarySteps,
    Optional<Interval> saveCheckpoints,
    int keepCheckpointMax,
    Duration keepCheckpointEvery,
    int logStepCountSteps,
    SessionOptions session,
    TfConfig task,
    Duration sessionCreationTimeout,
    Duration maxWorkerDelay,
    boolean insecure) {
  public RunConfig {
    requireAtLeast0("saveSummarySteps", saveSummarySteps);
    requireAtLeast0("keepCheckpointMax", keepCheckpointMax);
    requireAtLeast0("logStepCountSteps", logStepCountSteps);
    if (maxWorkerDelay.isNegative()) {
      throw TributaryException.invalidArgument(
          "maxWorkerDelay must be 0 or more, got %s", maxWorkerDelay);
    }
    if (sessionCreationTimeout.isNegative() || sessionCreationTimeout.isZero()) {
      throw TributaryException.invalidArgument(
          "sessionCreationTimeout must be positive, got %s", sessionCreationTimeout);
    }
  }

  private static void requireAtLeast0(String name, int value) {
    if (value < 0) {
      throw TributaryException.invalidArgument("%s must be 0 or more, got %d", name, value);
    }
  }

  /** Returns TensorFlow's defaults, with the role that {@code TF_CONFIG} gives this process. */
  public static RunConfig defaults() {
    return new RunConfig(
        Optional.empty(),
        OptionalInt.empty(),
        100,
        Optional.of(Interval.of(Duration.ofSeconds(600))),
        5,
        Duration.ofHours(10_000),
        100,
        SessionOptions.defaults().withSoftPlacement(true),
        TfConfig.fromEnvironment(),
        Duration.ofHours(2),
        Duration.ofSeconds(60),
        false);
  }

  public RunConfig withModelDir(Path folder) {
    return new RunConfig(
        Optional.of(folder),
        seed,
        saveSummarySteps,
        saveCheckpoints,
        keepCheckpointMax,
        keepCheckpointEvery,
        logStepCountSteps,
        session,
        task,
        sessionCreationTimeout,
        maxWorkerDelay,
        insecure);
  }

  public RunConfig withSeed(int newSeed) {
    return new RunConfig(
        modelDir,
        OptionalInt.of(newSeed),
        saveSummarySteps,
        saveCheckpoints,
        keepCheckpointMax,
        keepCheckpointEvery,
        logStepCountSteps,
        session,
        task,
        sessionCreationTimeout,
        maxWorkerDelay,
        insecure);
  }

  public RunConfig withSaveSummarySteps(int steps) {
    return new RunConfig(
        modelDir,
        seed,
        steps,
        saveCheckpoints,
        keepCheckpointMax,
        keepCheckpointEvery,
        logStepCountSteps,
        session,
        task,
        sessionCreationTimeout,
        maxWorkerDelay,
        insecure);
  }

  /** Sets the interval of checkpoints; there is always one at the end of training. */
  public RunConfig withSaveCheckpoints(Interval interval) {
    return withSaveCheckpoints(Optional.of(interval));
  }

  /** Returns a config without any checkpoints. */
  public RunConfig withoutCheckpoints() {
    return withSaveCheckpoints(Optional.empty());
  }

  private RunConfig withSaveCheckpoints(Optional<Interval> interval) {
    return new RunConfig(
        modelDir,
        seed,
        saveSummarySteps,
        interval,
        keepCheckpointMax,
        keepCheckpointEvery,
        logStepCountSteps,
        session,
        task,
        sessionCreationTimeout,
        maxWorkerDelay,
        insecure);
  }

  /** Sets which checkpoints are kept: the last ones, and one of each longer time. */
  public RunConfig withKeepCheckpoints(int max, Duration every) {
    return new RunConfig(
        modelDir,
        seed,
        saveSummarySteps,
        saveCheckpoints,
        max,
        every,
        logStepCountSteps,
        session,
        task,
        sessionCreationTimeout,
        maxWorkerDelay,
        insecure);
  }

  public RunConfig withLogStepCountSteps(int steps) {
    return new RunConfig(
        modelDir,
        seed,
        saveSummarySteps,
        saveCheckpoints,
        keepCheckpointMax,
        keepCheckpointEvery,
        steps,
        session,
        task,
        sessionCreationTimeout,
        maxWorkerDelay,
        insecure);
  }

  public RunConfig withSession(SessionOptions options) {
    return new RunConfig(
        modelDir,
        seed,
        saveSummarySteps,
        saveCheckpoints,
        keepCheckpointMax,
        keepCheckpointEvery,
        logStepCountSteps,
        options,
        task,
        sessionCreationTimeout,
        maxWorkerDelay,
        insecure);
  }

  public RunConfig withTask(TfConfig newTask) {
    return new RunConfig(
        modelDir,
        seed,
        saveSummarySteps,
        saveCheckpoints,
        keepCheckpointMax,
        keepCheckpointEvery,
        logStepCountSteps,
        session,
        newTask,
        sessionCreationTimeout,
        maxWorkerDelay,
        insecure);
  }

  /** Sets the longest time by which workers start later, one after the other. */
  public RunConfig withMaxWorkerDelay(Duration delay) {
    return new RunConfig(
        modelDir,
        seed,
        saveSummarySteps,
        saveCheckpoints,
        keepCheckpointMax,
        keepCheckpointEvery,
        logStepCountSteps,
        session,
        task,
        sessionCreationTimeout,
        delay,
        insecure);
  }

  public RunConfig withSessionCreationTimeout(Duration timeout) {
    return new RunConfig(
        modelDir,
        seed,
        saveSummarySteps,
        saveCheckpoints,
        keepCheckpointMax,
        keepCheckpointEvery,
        logStepCountSteps,
        session,
        task,
        timeout,
        maxWorkerDelay,
        insecure);
  }

  /** Lets servers listen where other machines reach them, without asking callers who they are. */
  public RunConfig withInsecure() {
    return new RunConfig(
        modelDir,
        seed,
        saveSummarySteps,
        saveCheckpoints,
        keepCheckpointMax,
        keepCheckpointEvery,
        logStepCountSteps,
        session,
        task,
        sessionCreationTimeout,
        maxWorkerDelay,
        true);
  }
}
