package dev.tributary.train.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.event.EventWriter;
import dev.tributary.event.SessionStatus;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.train.hook.CheckpointSaverHook;
import dev.tributary.train.hook.SessionRunArgs;
import dev.tributary.train.hook.SessionRunContext;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.hook.SummarySaverHook;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.queue.LooperThread;
import dev.tributary.train.variable.GlobalStep;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The chief's hooks under a {@link Supervisor}. Its program runs steps without hooks, so each hook
 * has a thread that runs it at an interval, around steps of its own which contain only what the
 * hook adds. Confined to the thread that owns the session, except for the hooks in their threads.
 */
final class SupervisedHooks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SupervisedHooks.class);

  private final List<SessionRunHook> hooks;
  private final ChiefFiles files;
  private final Session session;
  private final Optional<Variable> globalStep;
  private long lastStep;

  private SupervisedHooks(
      List<SessionRunHook> hooks,
      ChiefFiles files,
      Session session,
      Optional<Variable> globalStep) {
    this.hooks = hooks;
    this.files = files;
    this.session = session;
    this.globalStep = globalStep;
  }

  /**
   * Starts the threads, for the coordinator to join.
   *
   * @param files closed with the result
   */
  static SupervisedHooks start(
      List<SessionRunHook> usualHooks,
      ChiefFiles files,
      SupervisorOptions options,
      Session session,
      Coordinator coordinator) {
    List<SessionRunHook> hooks =
        usualHooks.stream().map(SupervisedHooks::withoutStartMark).toList();
    SupervisedHooks supervised =
        new SupervisedHooks(hooks, files, session, GlobalStep.find(session.graph()));
    supervised.begin();
    hooks.forEach(hook -> hook.afterCreateSession(session, coordinator));
    for (SessionRunHook hook : hooks) {
      boolean saves = hook instanceof CheckpointSaverHook;
      LooperThread.loop(
          "supervisor-" + hook.getClass().getSimpleName(),
          coordinator,
          saves ? options.saveModelEvery().time().orElseThrow() : options.saveSummariesEvery(),
          supervised.new Turn(hook, saves));
    }
    return supervised;
  }

  /** Marks the start of a session in the event file, before the training program writes to it. */
  private void begin() {
    lastStep = step();
    events().ifPresent(events -> events.sessionLog(SessionStatus.START, lastStep));
  }

  private static SessionRunHook withoutStartMark(SessionRunHook hook) {
    return hook instanceof SummarySaverHook ? ((SummarySaverHook) hook).withoutStartMark() : hook;
  }

  /** The action that the thread of a hook repeats. Confined to that thread. */
  private final class Turn implements Runnable {
    private final SessionRunHook hook;
    private boolean skipsNext;

    /**
     * @param skipsFirst whether the hook has acted when the session was created
     */
    Turn(SessionRunHook hook, boolean skipsFirst) {
      this.hook = hook;
      this.skipsNext = skipsFirst;
    }

    @Override
    public void run() {
      if (!skipsNext) {
        runStep(hook);
      }
      skipsNext = false;
    }
  }

  private void runStep(SessionRunHook hook) {
    SessionRunContext context = new SessionRunContext(session, SessionRunArgs.none());
    try (HookedStep step = HookedStep.before(context, List.of(hook))) {
      step.run().close();
      events().ifPresent(EventWriter::flush);
    } catch (TributaryException e) {
      // The training program may not have initialized yet what a summary needs.
      if (!(hook instanceof SummarySaverHook) || e.code() != ErrorCode.FAILED_PRECONDITION) {
        throw e;
      }
      LOG.debug("no summary yet: {}", e.getMessage());
    }
  }

  /**
   * Writes the last summary and checkpoint. Called after a good end, when the threads have ended.
   */
  void end() {
    lastStep = step();
    hooks.stream().filter(SummarySaverHook.class::isInstance).forEach(this::runStep);
    hooks.forEach(hook -> hook.end(session));
  }

  /** Returns the chief's event file, to which the training program may write, too. */
  Optional<EventWriter> events() {
    return files.events();
  }

  /** Returns the step for the event file; without one it is not read. */
  private long step() {
    return globalStep
        .filter(step -> events().isPresent())
        .map(step -> GlobalStep.read(session, step))
        .orElse(0L);
  }

  /** Marks the end of the session and closes the files. Called when the threads have ended. */
  @Override
  public void close() {
    events().ifPresent(events -> events.sessionLog(SessionStatus.STOP, lastStep));
    files.close();
  }
}
