package dev.tributary.train.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.train.queue.Preemption;
import dev.tributary.train.saver.Saver;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens sessions in which a model is ready to be trained: the chief's by restoring or initialising
 * it, those of others by waiting for the chief. Tasks that cannot be reached yet are waited for.
 * Immutable.
 */
public final class SessionManager {
  private static final Logger LOG = LoggerFactory.getLogger(SessionManager.class);

  private final SessionSetup setup;

  public SessionManager(SessionSetup setup) {
    this.setup = setup;
  }

  /**
   * The chief's session. The variables come from the latest checkpoint of the folder, and only if
   * there is none from their initialisers.
   */
  public Session prepareSession(Supplier<Session> opener, Optional<Path> checkpoints) {
    Patience patience = new Patience(setup.recoveryWait(), setup.maxWait());
    while (true) {
      Session session = null;
      try {
        session = opener.get();
        if (!restored(session, checkpoints)) {
          initialize(session);
        }
        requireNothing(
            localInit(session),
            "the model was initialised, but is not ready for local initialisation: ");
        requireNothing(missing(session, setup.ready()), "the model was initialised, but lacks ");
        return session;
      } catch (TributaryException e) {
        closeQuietly(session);
        if (!Preemption.isReasonOf(e)) {
          throw e;
        }
        patience.waitOnceMore(e.getMessage());
      }
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
        missing = localInit(session);
        if (missing.isEmpty()) {
          missing = missing(session, setup.ready());
        }
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

  /** Restores the latest checkpoint; false if there is none. */
  private boolean restored(Session session, Optional<Path> checkpoints) {
    Optional<Path> latest = checkpoints.flatMap(Saver::latestCheckpoint);
    if (setup.saver().isEmpty() || latest.isEmpty()) {
      return false;
    }
    Saver saver = setup.saver().get();
    saver.restore(session, latest.get());
    saver.recoverLastCheckpoints(checkpoints.get());
    LOG.info("restored {}", latest.get());
    return true;
  }

  private void initialize(Session session) {
    if (setup.init().isEmpty() && setup.initFn().isEmpty() && setup.localInit().isEmpty()) {
      throw TributaryException.failedPrecondition(
          "the model is not initialised and there is neither a checkpoint nor an init op");
    }
    setup.init().ifPresent(session::run);
    setup.initFn().ifPresent(function -> function.accept(session));
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

  private static void requireNothing(Optional<String> missing, String text) {
    if (missing.isPresent()) {
      throw TributaryException.internal("%s%s", text, missing.get());
    }
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
