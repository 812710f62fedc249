package dev.tributary.train.session;

import dev.tributary.train.hook.CheckpointSaverListener;
import dev.tributary.train.hook.SessionRunHook;
import java.time.Duration;
import java.util.List;

/**
 * Options of a {@link MonitoredTrainingSession}. Immutable, but hooks belong to one session.
 *
 * @param isChief whether this process initializes the model, saves it and writes events
 * @param output the files that the chief writes
 * @param scaffold pieces of the model that differ from the default
 * @param chiefOnlyHooks hooks of the chief, before all others
 * @param savingListeners called around each checkpoint of the chief
 * @param recoveryWait the time between checks whether the model is ready
 * @param maxWait the longest time to wait for the model
 * @param stopGrace the time that threads may take to stop
 * @param startsOver whether to train from scratch though the folder has checkpoints
 */
public record MonitoredTrainingOptions(
    boolean isChief,
    ChiefOutput output,
    Scaffold scaffold,
    List<SessionRunHook> chiefOnlyHooks,
    List<CheckpointSaverListener> savingListeners,
    Duration recoveryWait,
    Duration maxWait,
    Duration stopGrace,
    boolean startsOver) {
  public MonitoredTrainingOptions {
    chiefOnlyHooks = List.copyOf(chiefOnlyHooks);
    savingListeners = List.copyOf(savingListeners);
  }

  /** Returns options of a chief that writes no files. */
  public static MonitoredTrainingOptions chief() {
    return new MonitoredTrainingOptions(
        true,
        ChiefOutput.none(),
        Scaffold.defaults(),
        List.of(),
        List.of(),
        Duration.ofMillis(200),
        Duration.ofHours(2),
        Duration.ofMinutes(2),
        false);
  }

  /** Returns options of a worker that waits for the chief. */
  public static MonitoredTrainingOptions worker() {
    return chief().withChief(false);
  }

  public MonitoredTrainingOptions withChief(boolean chief) {
    return new MonitoredTrainingOptions(
        chief,
        output,
        scaffold,
        chiefOnlyHooks,
        savingListeners,
        recoveryWait,
        maxWait,
        stopGrace,
        startsOver);
  }

  public MonitoredTrainingOptions withOutput(ChiefOutput newOutput) {
    return new MonitoredTrainingOptions(
        isChief,
        newOutput,
        scaffold,
        chiefOnlyHooks,
        savingListeners,
        recoveryWait,
        maxWait,
        stopGrace,
        startsOver);
  }

  public MonitoredTrainingOptions withScaffold(Scaffold newScaffold) {
    return new MonitoredTrainingOptions(
        isChief,
        output,
        newScaffold,
        chiefOnlyHooks,
        savingListeners,
        recoveryWait,
        maxWait,
        stopGrace,
        startsOver);
  }

  public MonitoredTrainingOptions withChiefOnlyHooks(List<SessionRunHook> hooks) {
    return new MonitoredTrainingOptions(
        isChief,
        output,
        scaffold,
        hooks,
        savingListeners,
        recoveryWait,
        maxWait,
        stopGrace,
        startsOver);
  }

  public MonitoredTrainingOptions withSavingListeners(List<CheckpointSaverListener> listeners) {
    return new MonitoredTrainingOptions(
        isChief,
        output,
        scaffold,
        chiefOnlyHooks,
        listeners,
        recoveryWait,
        maxWait,
        stopGrace,
        startsOver);
  }

  public MonitoredTrainingOptions withWaits(Duration newRecoveryWait, Duration newMaxWait) {
    return new MonitoredTrainingOptions(
        isChief,
        output,
        scaffold,
        chiefOnlyHooks,
        savingListeners,
        newRecoveryWait,
        newMaxWait,
        stopGrace,
        startsOver);
  }

  public MonitoredTrainingOptions withStopGrace(Duration time) {
    return new MonitoredTrainingOptions(
        isChief,
        output,
        scaffold,
        chiefOnlyHooks,
        savingListeners,
        recoveryWait,
        maxWait,
        time,
        startsOver);
  }

  /**
   * Returns options that train from scratch even if the folder has checkpoints. These are deleted
   * in turn as new ones are written. Tasks that are lost later are restored from the new ones.
   */
  public MonitoredTrainingOptions withStartOver() {
    return new MonitoredTrainingOptions(
        isChief,
        output,
        scaffold,
        chiefOnlyHooks,
        savingListeners,
        recoveryWait,
        maxWait,
        stopGrace,
        true);
  }
}
