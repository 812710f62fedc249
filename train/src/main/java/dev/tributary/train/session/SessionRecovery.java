package dev.tributary.train.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.session.Session;
import dev.tributary.train.internal.Preemption;
import dev.tributary.train.queue.Coordinator;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The failures of one session and of the threads beside it, and the decision whether training may
 * continue in a new session. Failures are judged by their codes, and by the model's own report of
 * uninitialized variables while the session is open; never by their messages. Thread-safe.
 */
final class SessionRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(SessionRecovery.class);

  private final Session session;
  private final Coordinator coordinator;
  private final Predicate<Session> isReady;
  private volatile boolean lostVariables;

  /**
   * @param isReady whether all variables of the model have values
   */
  SessionRecovery(Session session, Coordinator coordinator, Predicate<Session> isReady) {
    this.session = session;
    this.coordinator = coordinator;
    this.isReady = isReady;
  }

  /**
   * Closes the session as soon as a thread beside it fails. A running step then ends at once: it
   * may wait for something that only the thread would have done.
   */
  void closeOnFailure() {
    coordinator.onStop(this::closeAfterFailure);
  }

  private void closeAfterFailure() {
    Optional<TributaryException> failure = threadFailure();
    if (failure.isPresent()) {
      lostVariables = isFailedPrecondition(failure.get()) && hasLostVariables();
    }
    if (coordinator.failure().isPresent()) {
      closeQuietly(session);
    }
  }

  /** Returns the failure of a thread beside the session, if training may continue after it. */
  Optional<TributaryException> recoverableThreadFailure() {
    return threadFailure().filter(this::isRecoverable);
  }

  /**
   * Returns the reason for which a step failed: the failure of a thread beside the session if the
   * session was closed for it, or if it reports a lost task and the step does not.
   */
  TributaryException reason(TributaryException step) {
    Optional<TributaryException> beside = threadFailure().filter(failure -> failure != step);
    if (beside.isEmpty() || Preemption.isReasonOf(step)) {
      return step;
    }
    boolean explains = step.code() == ErrorCode.CANCELLED || Preemption.isReasonOf(beside.get());
    TributaryException reason = explains ? beside.get() : step;
    reason.addSuppressed(explains ? step : beside.get());
    return reason;
  }

  /**
   * Returns whether a new session may succeed after a failure: a task was lost, or variables have
   * lost their values because their task was restarted.
   */
  boolean isRecoverable(TributaryException failure) {
    return Preemption.isReasonOf(failure)
        || (isFailedPrecondition(failure) && (lostVariables || hasLostVariables()));
  }

  private boolean hasLostVariables() {
    try {
      return !isReady.test(session);
    } catch (TributaryException e) {
      return Preemption.isReasonOf(e);
    }
  }

  private Optional<TributaryException> threadFailure() {
    return coordinator
        .failure()
        .filter(TributaryException.class::isInstance)
        .map(TributaryException.class::cast);
  }

  private static boolean isFailedPrecondition(TributaryException failure) {
    return failure.code() == ErrorCode.FAILED_PRECONDITION;
  }

  /** Returns the error that stops the threads beside a session that a new one replaces. */
  static TributaryException abandoned() {
    return new TributaryException(ErrorCode.ABORTED, "the session is replaced by a new one");
  }

  static void closeQuietly(Session session) {
    try {
      session.close();
    } catch (TributaryException e) {
      LOG.debug("an abandoned session did not close", e);
    }
  }
}
