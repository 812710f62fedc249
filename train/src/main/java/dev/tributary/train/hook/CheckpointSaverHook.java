package dev.tributary.train.hook;

import dev.tributary.event.EventWriter;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.graph.wire.GraphFiles;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.saver.MetaGraphs;
import dev.tributary.train.saver.Saver;
import java.nio.file.Path;
import java.util.List;
import org.tensorflow.proto.GraphDef;

/**
 * Saves when a session begins, unless the variables were just restored, each interval, and at the
 * end, to {@code model.ckpt-step} in the folder of an event file, which gets the graph and a note
 * of each checkpoint.
 */
public final class CheckpointSaverHook implements SessionRunHook {
  /** What the names of checkpoints begin with. */
  public static final String BASENAME = "model.ckpt";

  private final Saver saver;
  private final EventWriter events;
  private final Variable globalStep;
  private final Interval interval;
  private final StepTimer timer;
  private final List<CheckpointSaverListener> listeners;

  /**
   * @param events stays the caller's; checkpoints go to its folder
   */
  public CheckpointSaverHook(
      Saver saver, EventWriter events, Variable globalStep, Interval interval) {
    this(saver, events, globalStep, interval, List.of());
  }

  /**
   * @param events stays the caller's; checkpoints go to its folder
   * @param listeners called around each checkpoint, in this order
   */
  public CheckpointSaverHook(
      Saver saver,
      EventWriter events,
      Variable globalStep,
      Interval interval,
      List<CheckpointSaverListener> listeners) {
    this.saver = saver;
    this.events = events;
    this.globalStep = globalStep;
    this.interval = interval;
    this.timer = new StepTimer(interval);
    this.listeners = List.copyOf(listeners);
  }

  @Override
  public void begin(Ops tf) {
    listeners.forEach(listener -> listener.begin(tf));
  }

  @Override
  public void afterCreateSession(Session session, Coordinator coordinator) {
    long step = GlobalSteps.read(session, globalStep);
    GraphDef graph = GraphDefs.toProto(session.graph());
    GraphFiles.writeText(events.path().resolveSibling("graph.pbtxt"), graph);
    events.graph(graph.toByteArray(), step);
    events.metaGraph(MetaGraphs.export(session.graph(), saver), step);
    if (saver.isCurrent(prefix(), step)) {
      timer.triggered(step);
    } else {
      save(session, step);
    }
  }

  @Override
  public SessionRunArgs beforeRun(SessionRunContext context) {
    return SessionRunArgs.fetching(globalStep.value());
  }

  /** The fetched value may be from before the step's own update. */
  @Override
  public void afterRun(SessionRunContext context, SessionRunValues values) {
    boolean mayBeTime = timer.shouldTrigger(values.results().get(0).getIndex(0) + 1);
    if (mayBeTime && (!interval.onlyIfCheap() || saver.isCheap())) {
      long step = GlobalSteps.read(context.session(), globalStep);
      if (timer.shouldTrigger(step) && save(context.session(), step)) {
        context.requestStop();
      }
    }
  }

  @Override
  public void end(Session session) {
    long step = GlobalSteps.read(session, globalStep);
    if (!timer.wasTriggeredAt(step)) {
      save(session, step);
    }
    listeners.forEach(listener -> listener.end(session, step));
  }

  private Path prefix() {
    return events.path().resolveSibling(BASENAME);
  }

  /** Whether a listener wants training to stop. */
  private boolean save(Session session, long step) {
    timer.triggered(step);
    listeners.forEach(listener -> listener.beforeSave(session, step));
    Path checkpoint = saver.save(session, prefix(), step);
    events.checkpoint(checkpoint.toString(), step);
    events.flush();
    boolean stop = false;
    for (CheckpointSaverListener listener : listeners) {
      stop |= listener.afterSave(session, step);
    }
    return stop;
  }
}
