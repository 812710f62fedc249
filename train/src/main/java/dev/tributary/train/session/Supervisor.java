package dev.tributary.train.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.queue.QueueRunners;
import dev.tributary.train.saver.Saver;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.Variables;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches over training in one process of a cluster, or of one alone. The chief initialises the
 * model or restores it from the latest checkpoint, saves it now and then, and writes events; other
 * workers wait until the model is ready. When tasks of the cluster fail and come back, training
 * goes on from the last checkpoint.
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
 * It is made when the graph is complete but for what it adds itself; the graph is final then. One
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

  /** A supervisor that makes its operations itself. */
  public static Supervisor of(Ops tf, SupervisorOptions options) {
    return of(tf, options, UnaryOperator.identity());
  }

  /**
   * A supervisor with other operations or waits than the usual ones: initialisers of all global and
   * local variables and of tables, a report of variables without a value, a saver of all global
   * variables.
   *
   * @param change given the usual setup
   */
  public static Supervisor of(
      Ops tf, SupervisorOptions options, UnaryOperator<SessionSetup> change) {
    Scaffold scaffold = Scaffold.defaults().withOperations(tf);
    SessionSetup usual = options.startsOver() ? scaffold.setup().withStartOver() : scaffold.setup();
    boolean saves = options.ownLogdir().isPresent() && !Variables.global(tf.graph()).isEmpty();
    SessionSetup setup = change.apply(saves ? usual.withSaver(Saver.of(tf.graph())) : usual);
    Optional<LiveModel> live =
        options.isChief()
            ? LiveModel.of(tf, options.logdir(), options.startsOver())
            : Optional.empty();
    tf.graph().makeFinal();
    SessionManager sessions = new SessionManager(setup, live);
    return new Supervisor(
        tf.graph(),
        options,
        setup,
        sessions,
        scaffold.summaryOp().filter(s -> options.runsSummaries()));
  }

  /**
   * Runs a training program to its end in a managed session at a target: {@code grpc://host:port},
   * or {@code local}. If tasks of the cluster fail in the meantime, the program is begun again in a
   * new session, with the variables of the last checkpoint. The end of the input, OUT_OF_RANGE, is
   * a good end.
   */
  public void run(String target, Consumer<ManagedSession> program) {
    run(() -> Session.open(target, graph), program);
  }

  /** The same with sessions that are opened in another way. */
  public void run(Supplier<Session> opener, Consumer<ManagedSession> program) {
    while (!isDone(opener, program)) {
      LOG.info("training begins again");
    }
  }

  /** Whether the program came to a good end; false if it is to be begun again. */
  private boolean isDone(Supplier<Session> opener, Consumer<ManagedSession> program) {
    boolean succeeded = false;
    ManagedSession managed = open(opener);
    try {
      try {
        runToEnd(program, managed);
        succeeded = true;
      } finally {
        managed.close(succeeded);
      }
      return true;
    } catch (TributaryException e) {
      if (!SessionManager.isRecoverable(e)) {
        throw e;
      }
      LOG.warn("training was interrupted: {}", e.getMessage());
      return false;
    }
  }

  private static void runToEnd(Consumer<ManagedSession> program, ManagedSession managed) {
    try {
      program.accept(managed);
    } catch (TributaryException e) {
      if (e.code() != ErrorCode.OUT_OF_RANGE) {
        throw SessionManager.reason(e, managed.coordinator());
      }
    }
  }

  /** A session with a model that is ready, and the threads beside it, for the caller to close. */
  public ManagedSession managedSession(String target) {
    return open(() -> Session.open(target, graph));
  }

  private ManagedSession open(Supplier<Session> opener) {
    Optional<LogdirLock> lock = options.ownLogdir().map(LogdirLock::take);
    try {
      Session session =
          options.isChief()
              ? sessions.prepareSession(opener, options.logdir())
              : sessions.waitForSession(opener);
      return managed(session, lock);
    } catch (RuntimeException e) {
      lock.ifPresent(LogdirLock::close);
      throw e;
    }
  }

  private ManagedSession managed(Session session, Optional<LogdirLock> lock) {
    Coordinator coordinator = new Coordinator();
    try {
      Optional<Variable> step = GlobalStep.find(graph);
      Optional<ChiefServices> services =
          options
              .ownLogdir()
              .map(
                  logdir ->
                      ChiefServices.start(
                          options, logdir, session, setup.saver(), summary, step, coordinator));
      QueueRunners.startQueueRunners(session, coordinator);
      SessionManager.closeOnFailure(session, coordinator);
      return new ManagedSession(session, coordinator, services, lock, options.stopGrace());
    } catch (RuntimeException e) {
      coordinator.requestStop();
      session.close();
      throw e;
    }
  }
}
