package dev.tributary.train.session;

import dev.tributary.error.TributaryException;
import dev.tributary.ops.Variable;
import dev.tributary.record.EventWriter;
import dev.tributary.session.Session;
import dev.tributary.train.hook.SessionRunArgs;
import dev.tributary.train.hook.SessionRunContext;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.variable.GlobalStep;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hooks of one session under a {@link Supervisor}. Its program runs steps without hooks, so
 * each of the chief's hooks has a thread that runs it at an interval, around steps of its own which
 * contain only what the hook adds. Hooks of the program do not act around steps. Confined to the
 * thread that owns the session, except for the periodic hooks in their threads.
 */
final class SupervisedHooks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SupervisedHooks.class);

  private final List<PeriodicHook> periodic;
  private final List<SessionRunHook> ofProgram;
  private final ChiefFiles files;
  private final Session session;
  private final Optional<Variable> globalStep;
  private long lastStep;

  private SupervisedHooks(
      List<PeriodicHook> periodic,
      List<SessionRunHook> ofProgram,
      ChiefFiles files,
      Session session,
      Optional<Variable> globalStep) {
    this.periodic = periodic;
    this.ofProgram = ofProgram;
    this.files = files;
    this.session = session;
    this.globalStep = globalStep;
  }

  /**
   * Starts the threads of periodic hooks, for the coordinator to join.
   *
   * @param ofProgram called at the end; the caller calls them for the session
   * @param files closed with the result
   */
  static SupervisedHooks start(
      List<PeriodicHook> periodic,
      List<SessionRunHook> ofProgram,
      ChiefFiles files,
      Optional<Variable> globalStep,
      Session session,
      Coordinator coordinator) {
    SupervisedHooks supervised =
        new SupervisedHooks(periodic, ofProgram, files, session, globalStep);
    supervised.begin();
    periodic.forEach(each -> each.hook().afterCreateSession(session, coordinator));
    for (PeriodicHook each : periodic) {
      coordinator.loop(each.threadName(), each.interval(), supervised.new Turn(each));
    }
    return supervised;
  }

  /** Marks the start of a session in the event file, before the training program writes to it. */
  private void begin() {
    lastStep = step();
    events().ifPresent(events -> events.sessionStart(lastStep));
  }

  /** The action that the thread of a hook repeats. Confined to that thread. */
  private final class Turn implements Runnable {
    private final PeriodicHook periodic;
    private boolean skipsNext;

    Turn(PeriodicHook periodic) {
      this.periodic = periodic;
      this.skipsNext = !periodic.firstAtOnce();
    }

    @Override
    public void run() {
      if (!skipsNext) {
        runStep(periodic);
      }
      skipsNext = false;
    }
  }

  private void runStep(PeriodicHook each) {
    SessionRunContext context = new SessionRunContext(session, SessionRunArgs.none());
    try (HookedStep step = HookedStep.before(context, List.of(each.hook()))) {
      step.run().close();
      events().ifPresent(EventWriter::flush);
    } catch (TributaryException e) {
      if (!each.mayFailWith(e)) {
        throw e;
      }
      LOG.debug("{} does nothing yet: {}", each.threadName(), e.getMessage());
    }
  }

  /** Tells the program's hooks of a good end, while all threads still run. */
  void endProgram() {
    ofProgram.forEach(hook -> hook.end(session));
  }

  /**
   * Writes the last summary and checkpoint. Called after a good end, when the threads have ended.
   */
  void end() {
    lastStep = step();
    periodic.stream().filter(PeriodicHook::lastAtEnd).forEach(this::runStep);
    periodic.forEach(each -> each.hook().end(session));
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
    events().ifPresent(events -> events.sessionStop(lastStep));
    files.close();
  }
}
