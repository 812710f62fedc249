package dev.tributary.train.session;

import dev.tributary.record.EventWriter;
import dev.tributary.session.Session;
import dev.tributary.train.queue.Coordinator;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session with a ready model and the threads beside it. Any thread may use it; the thread that
 * got it from the {@link Supervisor} closes it.
 */
public final class ManagedSession implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ManagedSession.class);

  private final Session session;
  private final Coordinator coordinator;
  private final SessionRecovery recovery;
  private final SupervisedHooks hooks;
  private final Duration stopGrace;
  private boolean joined;

  ManagedSession(
      Session session,
      Coordinator coordinator,
      SessionRecovery recovery,
      SupervisedHooks hooks,
      Duration stopGrace) {
    this.session = session;
    this.coordinator = coordinator;
    this.recovery = recovery;
    this.hooks = hooks;
    this.stopGrace = stopGrace;
  }

  public Session session() {
    return session;
  }

  /** Returns the coordinator that stops all threads together. */
  public Coordinator coordinator() {
    return coordinator;
  }

  public boolean shouldStop() {
    return coordinator.shouldStop();
  }

  /** Returns the chief's event file, if it has a logdir. */
  public Optional<EventWriter> events() {
    return hooks.events();
  }

  /**
   * Stops the threads, writes a last summary and checkpoint if nothing has failed, and closes the
   * session. Throws the failure of a thread, unless it was the end of the input.
   */
  @Override
  public void close() {
    try {
      finish();
    } finally {
      release();
    }
  }

  SessionRecovery recovery() {
    return recovery;
  }

  /**
   * Tells the supervisor's hooks, stops the threads and writes the last summary and checkpoint,
   * after a good end.
   */
  void finish() {
    if (coordinator.failure().isEmpty()) {
      hooks.endProgram();
    }
    joined = true;
    coordinator.requestStop();
    coordinator.join(List.of(), stopGrace);
    hooks.end();
  }

  /** Closes the session. Without {@link #finish}, stops the threads and ignores their failures. */
  void release() {
    if (!joined) {
      coordinator.requestStop(SessionRecovery.abandoned());
    }
    // Cancels steps that wait for tasks that are gone.
    closeQuietly(session);
    if (!joined) {
      joinQuietly();
    }
    closeQuietly(hooks);
  }

  private void joinQuietly() {
    try {
      coordinator.join(List.of(), stopGrace);
    } catch (RuntimeException e) {
      LOG.debug("threads beside a session that failed", e);
    }
  }

  /** Closes a resource without hiding the reason for which the session ends. */
  private static void closeQuietly(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      LOG.warn("{} did not close", resource.getClass().getSimpleName(), e);
    }
  }
}
