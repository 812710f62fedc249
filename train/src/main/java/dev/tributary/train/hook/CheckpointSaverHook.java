package dev.tributary.train.hook;

import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.graph.wire.GraphFiles;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.record.EventWriter;
import dev.tributary.session.Session;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.saver.Saver;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tensorflow.proto.GraphDef;

/**
 * A hook that saves checkpoints: when a session begins, unless the variables were just restored,
 * each interval, and at the end. They are named {@code model.ckpt-step} and go to the folder of an
 * event file, to which it adds the graph and a note of each checkpoint. A line of the log says
 * which step was saved where.
 */
public final class CheckpointSaverHook implements SessionRunHook {
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointSaverHook.class);

  /** The default prefix of checkpoint names. */
  public static final String BASENAME = "model.ckpt";

  private final Saver saver;
  private final EventWriter events;
  private final StepReader steps;
  private final Interval interval;
  private final StepTimer timer;
  private final String basename;
  private final List<CheckpointSaverListener> listeners;

  private CheckpointSaverHook(
      Saver saver,
      EventWriter events,
      StepReader steps,
      Interval interval,
      String basename,
      List<CheckpointSaverListener> listeners) {
    this.saver = saver;
    this.events = events;
    this.steps = steps;
    this.interval = interval;
    this.timer = new StepTimer(interval);
    this.basename = basename;
    this.listeners = List.copyOf(listeners);
  }

  /**
   * @param events stays open; checkpoints go to its folder
   */
  public CheckpointSaverHook(
      Saver saver, EventWriter events, Variable globalStep, Interval interval) {
    this(saver, events, globalStep, interval, List.of());
  }

  /**
   * @param events stays open; checkpoints go to its folder
   * @param listeners called around each checkpoint, in this order
   */
  public CheckpointSaverHook(
      Saver saver,
      EventWriter events,
      Variable globalStep,
      Interval interval,
      List<CheckpointSaverListener> listeners) {
    this(saver, events, new StepReader(Optional.of(globalStep)), interval, BASENAME, listeners);
  }

  /**
   * Returns a hook for a graph without a global step; the names of its checkpoints have no number.
   *
   * @param events stays open; checkpoints go to its folder
   * @param interval a time
   */
  public static CheckpointSaverHook withoutGlobalStep(
      Saver saver, EventWriter events, Interval interval) {
    return new CheckpointSaverHook(
        saver, events, new StepReader(Optional.empty()), interval, BASENAME, List.of());
  }

  /** Returns a hook whose checkpoint names begin with another prefix than {@link #BASENAME}. */
  public CheckpointSaverHook withBasename(String prefix) {
    return new CheckpointSaverHook(saver, events, steps, interval, prefix, listeners);
  }

  /** Returns a hook that calls these listeners around each checkpoint, in this order. */
  public CheckpointSaverHook withListeners(List<CheckpointSaverListener> newListeners) {
    return new CheckpointSaverHook(saver, events, steps, interval, basename, newListeners);
  }

  @Override
  public void begin(Ops tf) {
    listeners.forEach(listener -> listener.begin(tf));
  }

  @Override
  public void afterCreateSession(Session session, Coordinator coordinator) {
    long step = steps.read(session);
    GraphDef graph = GraphDefs.toProto(session.graph());
    GraphFiles.writeText(events.path().resolveSibling("graph.pbtxt"), graph);
    events.graph(graph.toByteArray(), step);
    events.metaGraph(saver.exportMetaGraph(session.graph()), step);
    if (steps.isPresent() && saver.isCurrent(prefix(), step)) {
      timer.triggered(step);
    } else {
      save(session, step);
    }
  }

  @Override
  public SessionRunArgs beforeRun(SessionRunContext context) {
    return SessionRunArgs.none().withFetches(steps.fetches());
  }

  @Override
  public void afterRun(SessionRunContext context, SessionRunValues values) {
    boolean mayBeDue = steps.isDue(timer, steps.fetched(values) + 1);
    if (mayBeDue && (!interval.onlyIfCheap() || saver.isCheap())) {
      long step = steps.read(context.session());
      if (steps.isDue(timer, step) && save(context.session(), step)) {
        context.requestStop();
      }
    }
  }

  @Override
  public void end(Session session) {
    long step = steps.read(session);
    if (!steps.isPresent() || !timer.wasTriggeredAt(step)) {
      save(session, step);
    }
    listeners.forEach(listener -> listener.end(session, step));
  }

  private Path prefix() {
    return events.path().resolveSibling(basename);
  }

  private void logSaved(Path checkpoint, long step) {
    if (steps.isPresent()) {
      LOG.info("saved step {} to {}", step, checkpoint);
    } else {
      LOG.info("saved to {}", checkpoint);
    }
  }

  /** Saves a checkpoint. Returns whether a listener requests a stop. */
  private boolean save(Session session, long step) {
    timer.triggered(step);
    listeners.forEach(listener -> listener.beforeSave(session, step));
    Path checkpoint =
        steps.isPresent() ? saver.save(session, prefix(), step) : saver.save(session, prefix());
    logSaved(checkpoint, step);
    events.checkpoint(checkpoint.toString(), step);
    events.flush();
    boolean stop = false;
    for (CheckpointSaverListener listener : listeners) {
      stop |= listener.afterSave(session, step);
    }
    return stop;
  }
}
