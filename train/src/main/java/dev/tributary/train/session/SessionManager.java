package dev.tributary.train.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.internal.time.Ticker;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.train.internal.Preemption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A source of sessions in which a model is ready to be trained: the chief restores or initializes
 * it, and other workers wait for the chief. Tasks that cannot be reached yet are waited for. One
 * thread opens sessions; any thread may ask whether one is ready.
 */
public final class SessionManager {
  /**
   * A task that restarts meanwhile makes one attempt fail; an incomplete init op makes all fail.
   */
  private static final int PREPARE_ATTEMPTS = 5;

  /**
   * Errors of a local initialization that needs more than the setup reports, such as the chief's: a
   * variable has no value yet, or is not there at all.
   */
  private static final Set<ErrorCode> LACKS_STATE =
      Set.of(ErrorCode.FAILED_PRECONDITION, ErrorCode.NOT_FOUND);

  private final SessionSetup setup;
  private final Optional<LiveModel> live;

  /**
   * @param scaffold the operations that make the model ready; {@linkplain Scaffold#completed
   *     completed}, unless there is nothing to initialize
   */
  public SessionManager(Scaffold scaffold) {
    this(scaffold.setup(), Optional.empty());
  }

  /**
   * @param live the model that tasks may hold already; without it, a chief always restores or
   *     initializes
   */
  SessionManager(SessionSetup setup, Optional<LiveModel> live) {
    this.setup = setup;
    this.live = live;
  }

  /**
   * Returns a source of sessions with other waits.
   *
   * @param recoveryWait the time between checks whether the model is ready; 200 ms by default
   * @param maxWait the longest time to wait for the model; two hours by default
   */
  public SessionManager withWaits(Duration recoveryWait, Duration maxWait) {
    return new SessionManager(setup.withWaits(recoveryWait, maxWait), live);
  }

  /**
   * Opens the chief's session. Variables keep the values that the tasks still hold from the session
   * before. If any is lost, all are restored from the newest intact checkpoint of the folder, or
   * initialized if there is none. A folder whose checkpoints cannot be used is a
   * FAILED_PRECONDITION.
   */
  public Session prepareSession(Supplier<Session> opener, Optional<Path> checkpoints) {
    Patience patience = new Patience(setup.recoveryWait(), setup.maxWait(), Ticker.SYSTEM);
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

  /** Opens another worker's session, once the chief has made the model ready. */
  public Session waitForSession(Supplier<Session> opener) {
    Patience patience = new Patience(setup.recoveryWait(), setup.maxWait(), Ticker.SYSTEM);
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
        boolean mayNeedChief = session != null && LACKS_STATE.contains(e.code());
        closeQuietly(session);
        if (!Preemption.isReasonOf(e) && !mayNeedChief) {
          throw e;
        }
        missing = Optional.of(e.getMessage());
      }
      patience.waitOnceMore(missing.get());
    }
  }

  /** Lets the saver of a restarted chief, which restores nothing, delete old checkpoints. */
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

  /** Restores the newest intact checkpoint; false if there is none. */
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

  /** Runs local initialization. Returns what the model lacks after it; empty if it is ready. */
  private Optional<String> missingAfterLocalInit(Session session) {
    return localInit(session).or(() -> missing(session, setup.ready()));
  }

  /** Returns what local initialization waits for; empty if it is done. */
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

  /** Returns whether all variables have values, as far as the setup reports them. */
  boolean isReady(Session session) {
    return missing(session, setup.readyForLocalInit()).isEmpty()
        && missing(session, setup.ready()).isEmpty();
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

  private static void closeQuietly(Session session) {
    if (session != null) {
      SessionRecovery.closeQuietly(session);
    }
  }
}
