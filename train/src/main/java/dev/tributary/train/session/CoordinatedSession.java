package dev.tributary.train.session;

import dev.tributary.error.TimeText;
import dev.tributary.error.TributaryException;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.train.hook.SessionRunArgs;
import dev.tributary.train.hook.SessionRunContext;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.queue.Preemption;
import dev.tributary.train.queue.QueueRunners;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of the sessions that a monitored session has in its life, with the threads beside it and the
 * hooks around its steps. Owns the session. Confined to one thread.
 */
final class CoordinatedSession {
  private static final Logger LOG = LoggerFactory.getLogger(CoordinatedSession.class);

  private final Session session;
  private final List<SessionRunHook> hooks;
  private final Duration stopGrace;
  private final Coordinator coordinator = new Coordinator(Set.of());
  private boolean stopRequested;
  private boolean hasRun;

  private CoordinatedSession(Session session, List<SessionRunHook> hooks, Duration stopGrace) {
    this.session = session;
    this.hooks = hooks;
    this.stopGrace = stopGrace;
  }

  static CoordinatedSession create(
      SessionCreator creator, List<SessionRunHook> hooks, Duration stopGrace) {
    CoordinatedSession created = new CoordinatedSession(creator.createSession(), hooks, stopGrace);
    try {
      QueueRunners.startQueueRunners(created.session, created.coordinator);
      SessionManager.closeOnFailure(created.session, created.coordinator);
      hooks.forEach(hook -> hook.afterCreateSession(created.session, created.coordinator));
      created.stopRequested = hooks.stream().anyMatch(hook -> hook.isDone(created.session));
      return created;
    } catch (RuntimeException | Error e) {
      created.abandon();
      throw e;
    }
  }

  /** Whether a hook or a thread has asked to stop. */
  boolean shouldStop() {
    return stopRequested || coordinator.shouldStop();
  }

  /** The loss of a task that a thread beside the session has met. */
  Optional<TributaryException> preemption() {
    return coordinator
        .failure()
        .filter(TributaryException.class::isInstance)
        .map(TributaryException.class::cast)
        .filter(Preemption::isReasonOf);
  }

  /** Runs a step; if it fails because a thread beside the session did, throws that failure. */
  StepResult run(SessionRunArgs step) {
    SessionRunContext context = new SessionRunContext(session, step);
    try (HookedStep hooked = HookedStep.before(context, hooks)) {
      StepResult result = hooked.run();
      stopRequested |= context.stopRequested();
      hasRun = true;
      return result;
    } catch (TributaryException e) {
      throw SessionManager.reason(e, coordinator);
    }
  }

  /**
   * Whether a new session may do better after this failure of a step. Variables without a value are
   * a sign of a task that was started anew if there was a step before, and a mistake otherwise.
   */
  boolean isRecoverable(TributaryException failure) {
    return Preemption.isReasonOf(failure) || (hasRun && SessionManager.isRecoverable(failure));
  }

  /** Tells the hooks of a good end. */
  void end() {
    hooks.forEach(hook -> hook.end(session));
  }

  /** Ends the threads and then the session. Throws why a thread failed. */
  void close() {
    coordinator.requestStop();
    try {
      List<Thread> running = coordinator.joinIgnoringLiveThreads(List.of(), stopGrace);
      if (!running.isEmpty()) {
        LOG.warn("threads {} still run after {}", running, TimeText.of(stopGrace));
      }
    } finally {
      closeSession();
    }
  }

  /** Cancels what runs, and ends the threads, whose failures count no more. */
  void abandon() {
    coordinator.requestStop(SessionManager.givenUp());
    closeSession();
    try {
      coordinator.joinIgnoringLiveThreads(List.of(), stopGrace);
    } catch (RuntimeException e) {
      LOG.debug("threads beside a session that failed", e);
    }
  }

  private void closeSession() {
    try {
      session.close();
    } catch (TributaryException e) {
      LOG.debug("a session did not close", e);
    }
  }
}
