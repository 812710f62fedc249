package dev.tributary.train.session;

import dev.tributary.error.TributaryException;
import dev.tributary.train.hook.Interval;
import dev.tributary.train.hook.SessionRunHook;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Options of a {@link Supervisor}. Immutable, but hooks belong to one supervisor.
 *
 * @param isChief whether this process initializes the model, saves it and writes events
 * @param logdir the folder of checkpoints and events; if empty, no files are written
 * @param checkpointBasename the prefix of checkpoint names
 * @param saveModelEvery the time between checkpoints; the first is written at once unless it would
 *     repeat the one that was restored
 * @param saveSummariesEvery the time between summaries, and between measurements of the speed
 * @param runsSummaries whether the chief runs the graph's summaries in steps of its own
 * @param stopGrace the time that threads may take to stop
 * @param startsOver whether to train from scratch even if the logdir has checkpoints
 * @param recoveryWait the time between checks whether the model is ready
 * @param maxWait the longest time to wait for the model
 * @param scaffold operations and a saver to use instead of the default ones
 * @param hooks called for each session and after a good end
 */
public record SupervisorOptions(
    boolean isChief,
    Optional<Path> logdir,
    String checkpointBasename,
    Interval saveModelEvery,
    Duration saveSummariesEvery,
    boolean runsSummaries,
    Duration stopGrace,
    boolean startsOver,
    Duration recoveryWait,
    Duration maxWait,
    Scaffold scaffold,
    List<SessionRunHook> hooks) {
  public SupervisorOptions {
    hooks = List.copyOf(hooks);
    if (saveModelEvery.time().isEmpty()) {
      throw TributaryException.invalidArgument(
          "the interval between checkpoints of a supervisor is a time, got %s", saveModelEvery);
    }
    for (SessionRunHook hook : hooks) {
      if (hook.actsAroundSteps()) {
        throw TributaryException.invalidArgument(
            "%s acts around steps, which a supervisor does not see; use a MonitoredTrainingSession,"
                + " or override actsAroundSteps if it need not see them",
            hook.getClass().getSimpleName());
      }
    }
    if (saveSummariesEvery.isZero() || saveSummariesEvery.isNegative()) {
      throw TributaryException.invalidArgument(
          "the time between summaries must be positive, got %s", saveSummariesEvery);
    }
  }

  /**
   * Returns options of the chief. It saves each minute, less often if saves take more than a
   * twentieth of that, and writes summaries every two minutes.
   */
  public static SupervisorOptions chief() {
    return new SupervisorOptions(
        true,
        Optional.empty(),
        "model.ckpt",
        Interval.ofIfCheap(Duration.ofMinutes(1)),
        Duration.ofMinutes(2),
        true,
        Duration.ofMinutes(2),
        false,
        Duration.ofMillis(200),
        Duration.ofHours(2),
        Scaffold.defaults(),
        List.of());
  }

  /** Returns options of a worker that waits for the chief. */
  public static SupervisorOptions worker() {
    return chief().withChief(false);
  }

  public SupervisorOptions withChief(boolean chief) {
    return new SupervisorOptions(
        chief,
        logdir,
        checkpointBasename,
        saveModelEvery,
        saveSummariesEvery,
        runsSummaries,
        stopGrace,
        startsOver,
        recoveryWait,
        maxWait,
        scaffold,
        hooks);
  }

  public SupervisorOptions withLogdir(Path folder) {
    return new SupervisorOptions(
        isChief,
        Optional.of(folder),
        checkpointBasename,
        saveModelEvery,
        saveSummariesEvery,
        runsSummaries,
        stopGrace,
        startsOver,
        recoveryWait,
        maxWait,
        scaffold,
        hooks);
  }

  public SupervisorOptions withSaveModelEvery(Duration time) {
    return new SupervisorOptions(
        isChief,
        logdir,
        checkpointBasename,
        Interval.of(time),
        saveSummariesEvery,
        runsSummaries,
        stopGrace,
        startsOver,
        recoveryWait,
        maxWait,
        scaffold,
        hooks);
  }

  public SupervisorOptions withSaveSummariesEvery(Duration time) {
    return new SupervisorOptions(
        isChief,
        logdir,
        checkpointBasename,
        saveModelEvery,
        time,
        runsSummaries,
        stopGrace,
        startsOver,
        recoveryWait,
        maxWait,
        scaffold,
        hooks);
  }

  /**
   * Returns options for graphs whose summaries need feeds: the training program runs them, and
   * writes the results with {@link ManagedSession#events}.
   */
  public SupervisorOptions withoutSummaries() {
    return new SupervisorOptions(
        isChief,
        logdir,
        checkpointBasename,
        saveModelEvery,
        saveSummariesEvery,
        false,
        stopGrace,
        startsOver,
        recoveryWait,
        maxWait,
        scaffold,
        hooks);
  }

  public SupervisorOptions withStopGrace(Duration time) {
    return new SupervisorOptions(
        isChief,
        logdir,
        checkpointBasename,
        saveModelEvery,
        saveSummariesEvery,
        runsSummaries,
        time,
        startsOver,
        recoveryWait,
        maxWait,
        scaffold,
        hooks);
  }

  /**
   * Returns options that train from scratch even if the logdir has checkpoints. These are deleted
   * in turn as new ones are written. Tasks that are lost later are restored from the new ones.
   */
  public SupervisorOptions withStartOver() {
    return new SupervisorOptions(
        isChief,
        logdir,
        checkpointBasename,
        saveModelEvery,
        saveSummariesEvery,
        runsSummaries,
        stopGrace,
        true,
        recoveryWait,
        maxWait,
        scaffold,
        hooks);
  }

  public SupervisorOptions withWaits(Duration newRecoveryWait, Duration newMaxWait) {
    return new SupervisorOptions(
        isChief,
        logdir,
        checkpointBasename,
        saveModelEvery,
        saveSummariesEvery,
        runsSummaries,
        stopGrace,
        startsOver,
        newRecoveryWait,
        newMaxWait,
        scaffold,
        hooks);
  }

  /**
   * Returns options with other operations than the default ones: initializers of all global and
   * local variables and of tables, a report of uninitialized variables, a saver of all global
   * variables.
   */
  public SupervisorOptions withScaffold(Scaffold newScaffold) {
    return new SupervisorOptions(
        isChief,
        logdir,
        checkpointBasename,
        saveModelEvery,
        saveSummariesEvery,
        runsSummaries,
        stopGrace,
        startsOver,
        recoveryWait,
        maxWait,
        newScaffold,
        hooks);
  }

  /**
   * Returns options with hooks, such as that of a {@code ReplicatedOptimizer}. They are called for
   * each session before the program gets it, and after a good end of the program. Hooks that act
   * around steps are refused, since a supervisor does not see the steps of its program.
   */
  public SupervisorOptions withHooks(SessionRunHook... newHooks) {
    return new SupervisorOptions(
        isChief,
        logdir,
        checkpointBasename,
        saveModelEvery,
        saveSummariesEvery,
        runsSummaries,
        stopGrace,
        startsOver,
        recoveryWait,
        maxWait,
        scaffold,
        List.of(newHooks));
  }

  /**
   * Returns the files that the chief writes; none for others. The hooks act whenever their threads
   * run them, so the intervals are those of the threads.
   */
  ChiefOutput output() {
    Duration always = Duration.ofNanos(1);
    return ownLogdir()
        .map(
            folder ->
                new ChiefOutput(
                    Optional.of(folder),
                    Optional.empty(),
                    Optional.of(
                        saveModelEvery.onlyIfCheap()
                            ? Interval.ofIfCheap(always)
                            : Interval.of(always)),
                    Optional.of(Interval.of(always)).filter(interval -> runsSummaries),
                    Optional.of(Interval.of(always))))
        .orElse(ChiefOutput.none());
  }

  /** Returns the folder that the chief writes to; empty for others. */
  Optional<Path> ownLogdir() {
    return isChief ? logdir : Optional.empty();
  }
}
