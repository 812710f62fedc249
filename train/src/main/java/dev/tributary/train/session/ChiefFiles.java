package dev.tributary.train.session;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.internal.bundle.InterruptedSaves;
import dev.tributary.ops.Variable;
import dev.tributary.record.EventWriter;
import dev.tributary.train.hook.CheckpointSaverHook;
import dev.tributary.train.hook.CheckpointSaverListener;
import dev.tributary.train.hook.Interval;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.hook.StepCounterHook;
import dev.tributary.train.hook.SummarySaverHook;
import dev.tributary.train.saver.Saver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The files that a chief has open while it trains: event files, and the folder of checkpoints,
 * which it locks against other chiefs. Builds the hooks that write them, which live as long.
 * Confined to one thread.
 */
final class ChiefFiles implements AutoCloseable {
  private final ChiefOutput output;
  private final String basename;
  private final List<AutoCloseable> open = new ArrayList<>();
  private Optional<EventWriter> checkpointEvents = Optional.empty();
  private Optional<EventWriter> summaryEvents = Optional.empty();

  private ChiefFiles(ChiefOutput output, String basename) {
    this.output = output;
    this.basename = basename;
  }

  /**
   * @param basename the prefix of checkpoint names
   */
  static ChiefFiles open(ChiefOutput output, String basename) {
    ChiefFiles files = new ChiefFiles(output, basename);
    try {
      files.openAll();
      return files;
    } catch (RuntimeException | Error e) {
      files.close();
      throw e;
    }
  }

  private void openAll() {
    output.checkpointDir().ifPresent(this::take);
    checkpointEvents = output.checkpointDir().map(this::events);
    summaryEvents =
        output.summaryDir().isEmpty() || output.summaryDir().equals(output.checkpointDir())
            ? checkpointEvents
            : output.summaryDir().map(this::events);
  }

  private void take(Path folder) {
    open.add(LogdirLock.take(folder));
    InterruptedSaves.removeAll(folder, basename);
  }

  private EventWriter events(Path folder) {
    EventWriter writer = EventWriter.create(folder);
    open.add(writer);
    return writer;
  }

  /** Returns the event file of summaries, if the chief writes any files. */
  Optional<EventWriter> events() {
    return summaryEvents;
  }

  /**
   * Builds the hooks that write, in TensorFlow's order.
   *
   * @param listeners called around each checkpoint; their {@code begin} was called
   */
  List<SessionRunHook> hooks(
      Optional<Saver> saver,
      Optional<Output> summary,
      Optional<Variable> globalStep,
      List<CheckpointSaverListener> listeners) {
    List<SessionRunHook> hooks = new ArrayList<>();
    stepCounter(globalStep).ifPresent(hooks::add);
    summarySaver(summary, globalStep).ifPresent(hooks::add);
    checkpointSaver(saver, globalStep)
        .map(hook -> hook.withListeners(listeners))
        .ifPresent(hooks::add);
    return hooks;
  }

  /** Builds the hook that measures the speed, if it is wanted and there is a step to count. */
  Optional<StepCounterHook> stepCounter(Optional<Variable> globalStep) {
    return output.logStepCount().isEmpty() || globalStep.isEmpty()
        ? Optional.empty()
        : summaryEvents.map(
            events -> new StepCounterHook(events, globalStep.get(), output.logStepCount().get()));
  }

  /** Builds the hook that writes summaries, if there are any to write. */
  Optional<SummarySaverHook> summarySaver(Optional<Output> summary, Optional<Variable> globalStep) {
    return output.saveSummaries().isEmpty() || summary.isEmpty()
        ? Optional.empty()
        : summaryEvents.map(
            events -> summaryHook(summary.get(), events, globalStep, output.saveSummaries().get()));
  }

  /** Builds the hook that saves checkpoints, if there is a saver. */
  Optional<CheckpointSaverHook> checkpointSaver(
      Optional<Saver> saver, Optional<Variable> globalStep) {
    return output.saveCheckpoint().isEmpty() || saver.isEmpty()
        ? Optional.empty()
        : checkpointEvents.map(
            events ->
                checkpointHook(saver.get(), events, globalStep, output.saveCheckpoint().get())
                    .withBasename(basename));
  }

  private static SummarySaverHook summaryHook(
      Output summary, EventWriter events, Optional<Variable> globalStep, Interval interval) {
    return globalStep
        .map(step -> new SummarySaverHook(summary, events, step, interval))
        .orElseGet(() -> SummarySaverHook.withoutGlobalStep(summary, events, interval));
  }

  private static CheckpointSaverHook checkpointHook(
      Saver saver, EventWriter events, Optional<Variable> globalStep, Interval interval) {
    return globalStep
        .map(step -> new CheckpointSaverHook(saver, events, step, interval))
        .orElseGet(() -> CheckpointSaverHook.withoutGlobalStep(saver, events, interval));
  }

  /** Closes the event files and then unlocks the folder. */
  @Override
  public void close() {
    for (int i = open.size() - 1; i >= 0; i--) {
      try {
        open.get(i).close();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw TributaryException.internal("a chief's file did not close: %s", e);
      }
    }
    open.clear();
  }
}
