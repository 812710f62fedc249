package dev.tributary.train.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.queue.Preemption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens sessions in which a model is ready to be trained: the chief's by restoring or initialising
 * it, those of others by waiting for the chief. Tasks that cannot be reached yet are waited for.
 * Confined to one thread.
 */
public final class SessionManager {
  private static final Logger LOG = LoggerFactory.getLogger(SessionManager.class);

  /** A task that is restarted at the wrong moment makes one attempt fail; an init op makes all. */
  private static final int PREPARE_ATTEMPTS = 5;

  private final SessionSetup setup;
  private final Optional<LiveModel> live;

  public SessionManager(SessionSetup setup) {
    this(setup, Optional.empty());
  }

  /**
   * @param live the model that tasks may hold already; without it, a chief always restores or
   *     initialises
   */
  SessionManager(SessionSetup setup, Optional<LiveModel> live) {
    this.setup = setup;
    this.live = live;
  }

  /**
   * The chief's session. The variables are those that the tasks still hold from the session before.
   * If any is lost, all come from the newest intact checkpoint of the folder, and only if it has
   * none from their initialisers. A folder with checkpoints that cannot be used is a
   * FAILED_PRECONDITION.
   */
  public Session prepareSession(Supplier<Session> opener, Optional<Path> checkpoints) {
    Patience patience = new Patience(setup.recoveryWait(), setup.maxWait());
    int attempts = 0;
    while (true) {
      Session session = null;
      String reason;
      try {
        session = opener.get();
        if (live.isPresent() && live.get().isWhole(session)) {
          adoptCheckpoints(checkpoints);
        } else {
          restoreOrInitialize(session, checkpoints);
        }
        Optional<String> missing = missingAfterLocalInit(session);
        if (missing.isEmpty()) {
          return session;
        }
        closeQuietly(session);
        reason = missing.get();
        if (++attempts == PREPARE_ATTEMPTS) {
          throw TributaryException.internal(
              "the model was initialised %d times, but is not ready: %s. Check that the init op"
                  + " covers all variables",
              attempts, reason);
        }
      } catch (TributaryException e) {
        closeQuietly(session);
        if (!Preemption.isReasonOf(e)) {
          throw e;
        }
        reason = e.getMessage();
      }
      patience.waitOnceMore(reason);
    }
  }

  /** Another worker's session, in which the chief has made the model ready. */
  public Session waitForSession(Supplier<Session> opener) {
    Patience patience = new Patience(setup.recoveryWait(), setup.maxWait());
    while (true) {
      Optional<String> missing;
      Session session = null;
      try {
        session = opener.get();
        missing = missingAfterLocalInit(session);
        if (missing.isEmpty()) {
          return session;
        }
        closeQuietly(session);
      } catch (TributaryException e) {
        closeQuietly(session);
        if (!isRecoverable(e)) {
          throw e;
        }
        missing = Optional.of(e.getMessage());
      }
      patience.waitOnceMore(missing.get());
    }
  }

  /** A chief that was started again, and restores nothing, deletes old checkpoints all the same. */
  private void adoptCheckpoints(Optional<Path> checkpoints) {
    if (setup.saver().isPresent()
        && checkpoints.isPresent()
        && setup.saver().get().lastCheckpoints().isEmpty()) {
      setup.saver().get().recoverLastCheckpoints(checkpoints.get());
    }
  }

  private void restoreOrInitialize(Session session, Optional<Path> checkpoints) {
    live.ifPresent(model -> model.discard(session));
    if (!restored(session, checkpoints)) {
      initialize(session);
    }
    live.ifPresent(model -> model.claim(session));
  }

  /** Restores the newest checkpoint that can be; false if there is none. */
  private boolean restored(Session session, Optional<Path> checkpoints) {
    return setup.saver().isPresent()
        && checkpoints.isPresent()
        && new ResumedRun(setup.saver().get(), checkpoints.get(), setup.startsOver())
            .isRestored(session);
  }

  private void initialize(Session session) {
    if (setup.init().isEmpty() && setup.initFn().isEmpty() && setup.localInit().isEmpty()) {
      throw TributaryException.failedPrecondition(
          "the model is not initialised and there is neither a checkpoint nor an init op");
    }
    setup.init().ifPresent(session::run);
    setup.initFn().ifPresent(function -> function.accept(session));
  }

  /** What keeps a model from being ready, once this process has initialised what is its own. */
  private Optional<String> missingAfterLocalInit(Session session) {
    return localInit(session).or(() -> missing(session, setup.ready()));
  }

  /** What local initialisation waits for; empty if it is done. */
  private Optional<String> localInit(Session session) {
    if (setup.localInit().isEmpty()) {
      return Optional.empty();
    }
    Optional<String> missing = missing(session, setup.readyForLocalInit());
    if (missing.isEmpty()) {
      session.run(setup.localInit().get());
    }
    return missing;
  }

  private static Optional<String> missing(Session session, Optional<Output> report) {
    if (report.isEmpty()) {
      return Optional.empty();
    }
    try (StepResult result = session.runner().fetch(report.get()).run()) {
      List<String> names = List.of(result.get(0).toStrings());
      return names.isEmpty()
          ? Optional.empty()
          : Optional.of("variables not initialized: " + String.join(", ", names));
    }
  }

  /**
   * Closes a session when a thread beside it fails. A step that runs then ends at once: it may wait
   * for something that only the thread would have done, and needs no task that was lost.
   */
  static void closeOnFailure(Session session, Coordinator coordinator) {
    coordinator.onStop(
        () -> {
          if (coordinator.failure().isPresent()) {
            closeQuietly(session);
          }
        });
  }

  /**
   * The reason for which a step failed: the failure of a thread beside the session if that is why
   * the session was closed, or if it tells of a lost task and the step does not.
   */
  static TributaryException reason(TributaryException step, Coordinator coordinator) {
    Optional<TributaryException> beside =
        coordinator
            .failure()
            .filter(TributaryException.class::isInstance)
            .map(TributaryException.class::cast)
            .filter(failure -> failure != step);
    if (beside.isEmpty() || Preemption.isReasonOf(step)) {
      return step;
    }
    boolean explains = step.code() == ErrorCode.CANCELLED || Preemption.isReasonOf(beside.get());
    TributaryException reason = explains ? beside.get() : step;
    reason.addSuppressed(explains ? step : beside.get());
    return reason;
  }

  /** Why the threads beside a session end when a new session is to take its place. */
  static TributaryException givenUp() {
    return new TributaryException(ErrorCode.ABORTED, "the session is given up");
  }

  /**
   * Whether an error may be over when the cluster is up, or up again. Variables without a value are
   * a sign of a task that was started anew, and of a chief who has not come so far.
   */
  static boolean isRecoverable(TributaryException error) {
    return Preemption.isReasonOf(error)
        || (error.code() == ErrorCode.FAILED_PRECONDITION
            && error.getMessage().contains("uninitialized"));
  }

  private static void closeQuietly(Session session) {
    if (session == null) {
      return;
    }
    try {
      session.close();
    } catch (TributaryException e) {
      LOG.debug("a session that is given up did not close", e);
    }
  }
}
