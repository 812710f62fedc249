package dev.tributary.train.session;

import dev.tributary.bundle.InterruptedSaves;
import dev.tributary.error.TributaryException;
import dev.tributary.event.EventWriter;
import dev.tributary.ops.Variable;
import dev.tributary.train.hook.CheckpointSaverHook;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.hook.StepCounterHook;
import dev.tributary.train.hook.SummarySaverHook;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The files that a chief has open while it trains: event files, and the folder of checkpoints,
 * which no other chief may have. Makes the hooks that write them, which live as long. Confined to
 * one thread.
 */
final class ChiefFiles implements AutoCloseable {
  private final ChiefOutput output;
  private final List<AutoCloseable> open = new ArrayList<>();
  private Optional<EventWriter> checkpointEvents = Optional.empty();
  private Optional<EventWriter> summaryEvents = Optional.empty();

  private ChiefFiles(ChiefOutput output) {
    this.output = output;
  }

  static ChiefFiles open(ChiefOutput output) {
    ChiefFiles files = new ChiefFiles(output);
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
    InterruptedSaves.removeAll(folder, CheckpointSaverHook.BASENAME);
  }

  private EventWriter events(Path folder) {
    EventWriter writer = EventWriter.create(folder);
    open.add(writer);
    return writer;
  }

  /** The hooks that write, in TensorFlow's order. */
  List<SessionRunHook> hooks(Scaffold scaffold, Optional<Variable> globalStep) {
    if (open.isEmpty()) {
      return List.of();
    }
    Variable step =
        globalStep.orElseThrow(
            () ->
                TributaryException.failedPrecondition(
                    "a chief that writes checkpoints or summaries needs a global step in the"
                        + " graph, make one with GlobalStep.create"));
    List<SessionRunHook> hooks = new ArrayList<>();
    EventWriter events = summaryEvents.get();
    output
        .logStepCount()
        .ifPresent(interval -> hooks.add(new StepCounterHook(events, step, interval)));
    if (output.saveSummaries().isPresent() && scaffold.summaryOp().isPresent()) {
      hooks.add(
          new SummarySaverHook(
              scaffold.summaryOp().get(), events, step, output.saveSummaries().get()));
    }
    if (output.saveCheckpoint().isPresent()
        && checkpointEvents.isPresent()
        && scaffold.saver().isPresent()) {
      hooks.add(
          new CheckpointSaverHook(
              scaffold.saver().get(), checkpointEvents.get(), step, output.saveCheckpoint().get()));
    }
    return hooks;
  }

  /** Closes the event files before the folder is given free. */
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
