package dev.tributary.train.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.internal.time.Ticker;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.train.internal.Preemption;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.queue.QueueRunner;
import dev.tributary.train.saver.Saver;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.Variables;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Supervision of training in one process, alone or in a cluster. The chief initializes the model or
 * restores it from the latest checkpoint, saves it at intervals, and writes events; other workers
 * wait until the model is ready. When tasks of the cluster fail and come back, training continues
 * from the last checkpoint.
 *
 * <pre>{@code
 * Supervisor supervisor = Supervisor.of(tf, SupervisorOptions.chief().withLogdir(logdir));
 * supervisor.run(server.target(), managed -> {
 *   while (!managed.shouldStop() && step(managed.session()) < 1000) {
 *     managed.session().run(train);
 *   }
 * });
 * }</pre>
 *
 * It is created when the graph is complete, adds its own operations, and makes the graph final. One
 * thread runs it.
 */
public final class Supervisor {
  private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);

  private final Graph graph;
  private final SupervisorOptions options;
  private final SessionSetup setup;
  private final SessionManager sessions;
  private final Optional<Output> summary;

  private Supervisor(
      Graph graph,
      SupervisorOptions options,
      SessionSetup setup,
      SessionManager sessions,
      Optional<Output> summary) {
    this.graph = graph;
    this.options = options;
    this.setup = setup;
    this.sessions = sessions;
    this.summary = summary;
  }

  /** Returns a supervisor of a graph that is complete otherwise. */
  public static Supervisor of(Ops tf, SupervisorOptions options) {
    options.hooks().forEach(hook -> hook.begin(tf));
    Scaffold scaffold = options.scaffold().withOperations(tf);
    SessionSetup setup = setup(tf.graph(), scaffold, options);
    Optional<LiveModel> live =
        options.isChief()
            ? LiveModel.of(tf, options.logdir(), options.startsOver())
            : Optional.empty();
    tf.graph().makeFinal();
    SessionManager sessions = new SessionManager(setup, live);
    return new Supervisor(tf.graph(), options, setup, sessions, scaffold.summaryOp());
  }

  private static SessionSetup setup(Graph graph, Scaffold scaffold, SupervisorOptions options) {
    SessionSetup usual = scaffold.setup().withWaits(options.recoveryWait(), options.maxWait());
    SessionSetup setup = options.startsOver() ? usual.withStartOver() : usual;
    boolean saves = options.ownLogdir().isPresent() && !Variables.global(graph).isEmpty();
    return saves && setup.saver().isEmpty() ? setup.withSaver(Saver.of(graph)) : setup;
  }

  /**
   * Runs a training program to its end in a managed session at a target: {@code grpc://host:port},
   * or {@code local}. If tasks of the cluster fail in the meantime, the program runs again in a new
   * session, with the variables of the last checkpoint. The end of the input, OUT_OF_RANGE, is a
   * good end.
   */
  public void run(String target, Consumer<ManagedSession> program) {
    run(() -> Session.open(target, graph), program);
  }

  /** Runs a training program with another source of sessions. */
  public void run(Supplier<Session> opener, Consumer<ManagedSession> program) {
    while (!isDone(opened(opener), program)) {
      LOG.info("training continues in a new session");
    }
  }

  /** Opens a session, and again if it is lost before the program gets it. */
  private ManagedSession opened(Supplier<Session> opener) {
    Patience patience = new Patience(options.recoveryWait(), options.maxWait(), Ticker.SYSTEM);
    while (true) {
      try {
        return open(opener);
      } catch (TributaryException e) {
        if (!Preemption.isReasonOf(e)) {
          throw e;
        }
        LOG.warn("a session was lost before training began: {}", e.getMessage());
        patience.waitOnceMore(e.getMessage());
      }
    }
  }

  /** Returns whether the program came to a good end; false if it has to run again. */
  private static boolean isDone(ManagedSession managed, Consumer<ManagedSession> program) {
    try {
      runToEnd(program, managed);
      managed.finish();
      return true;
    } catch (TributaryException e) {
      TributaryException reason = managed.recovery().reason(e);
      if (!managed.recovery().isRecoverable(reason)) {
        throw reason;
      }
      LOG.warn("training was interrupted: {}", reason.getMessage());
      return false;
    } finally {
      managed.release();
    }
  }

  private static void runToEnd(Consumer<ManagedSession> program, ManagedSession managed) {
    try {
      program.accept(managed);
    } catch (TributaryException e) {
      if (e.code() != ErrorCode.OUT_OF_RANGE) {
        throw e;
      }
    }
  }

  /** Opens a session with a ready model and the threads beside it, which the caller closes. */
  public ManagedSession managedSession(String target) {
    return open(() -> Session.open(target, graph));
  }

  private ManagedSession open(Supplier<Session> opener) {
    ChiefFiles files = ChiefFiles.open(options.output(), options.checkpointBasename());
    try {
      Session session =
          options.isChief()
              ? sessions.prepareSession(opener, options.logdir())
              : sessions.waitForSession(opener);
      return managed(session, files);
    } catch (RuntimeException | Error e) {
      files.close();
      throw e;
    }
  }

  private ManagedSession managed(Session session, ChiefFiles files) {
    Coordinator coordinator = new Coordinator();
    SessionRecovery recovery = new SessionRecovery(session, coordinator, sessions::isReady);
    try {
      Optional<Variable> globalStep = GlobalStep.find(graph);
      List<PeriodicHook> periodic =
          PeriodicHook.ofChief(files, setup.saver(), summary, globalStep, options);
      SupervisedHooks supervised =
          SupervisedHooks.start(periodic, options.hooks(), files, globalStep, session, coordinator);
      QueueRunner.startQueueRunners(session, coordinator);
      recovery.closeOnFailure();
      options.hooks().forEach(hook -> hook.afterCreateSession(session, coordinator));
      return new ManagedSession(session, coordinator, recovery, supervised, options.stopGrace());
    } catch (TributaryException e) {
      // The session must be open to report lost variables.
      boolean isLost = recovery.isRecoverable(e);
      abandon(session, coordinator);
      throw isLost ? new TributaryException(ErrorCode.ABORTED, e.getMessage(), e) : e;
    } catch (RuntimeException | Error e) {
      abandon(session, coordinator);
      throw e;
    }
  }

  private static void abandon(Session session, Coordinator coordinator) {
    coordinator.requestStop();
    SessionRecovery.closeQuietly(session);
  }
}
