package dev.tributary.train.session;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.TimeText;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.train.hook.SessionRunArgs;
import dev.tributary.train.hook.SessionRunContext;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.queue.QueueRunner;
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
  private final SessionRecovery recovery;
  private boolean stopRequested;

  private CoordinatedSession(
      SessionCreator creator, List<SessionRunHook> hooks, Duration stopGrace) {
    this.session = creator.createSession();
    this.hooks = hooks;
    this.stopGrace = stopGrace;
    this.recovery = new SessionRecovery(session, coordinator, creator::isReady);
  }

  static CoordinatedSession create(
      SessionCreator creator, List<SessionRunHook> hooks, Duration stopGrace) {
    CoordinatedSession created = new CoordinatedSession(creator, hooks, stopGrace);
    try {
      QueueRunner.startQueueRunners(created.session, created.coordinator);
      created.recovery.closeOnFailure();
      hooks.forEach(hook -> hook.afterCreateSession(created.session, created.coordinator));
      created.stopRequested = hooks.stream().anyMatch(hook -> hook.isDone(created.session));
      return created;
    } catch (RuntimeException | Error e) {
      created.abandon();
      throw e;
    }
  }

  /** Returns whether a hook or a thread has requested a stop. */
  boolean shouldStop() {
    return stopRequested || coordinator.shouldStop();
  }

  /** Returns the failure of a thread beside the session, if training may continue after it. */
  Optional<TributaryException> recoverableThreadFailure() {
    return recovery.recoverableThreadFailure();
  }

  /** Runs a step; if it fails because a thread beside the session did, throws that failure. */
  StepResult run(SessionRunArgs step) {
    SessionRunContext context = new SessionRunContext(session, step);
    try (HookedStep hooked = HookedStep.before(context, hooks)) {
      StepResult result = hooked.run();
      stopRequested |= context.stopRequested();
      return result;
    } catch (TributaryException e) {
      throw recovery.reason(e);
    }
  }

  /** Returns whether a new session may succeed after this failure of a step. */
  boolean isRecoverable(TributaryException failure) {
    return recovery.isRecoverable(failure);
  }

  /** Calls the hooks after a good end. */
  void end() {
    hooks.forEach(hook -> hook.end(session));
  }

  /** Stops the threads and closes the session. Throws the failure of a thread. */
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

  /**
   * Closes the session, which cancels running steps, and stops the threads, whose failures are
   * ignored.
   */
  void abandon() {
    coordinator.requestStop(SessionRecovery.abandoned());
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
