package dev.tributary.train.hook;

import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.train.queue.Coordinator;

/**
 * Something to do around the steps of a monitored session. All calls come from the thread that uses
 * the session, one after the other; what a call throws fails the step, and ABORTED or UNAVAILABLE
 * makes the session begin anew.
 */
public interface SessionRunHook {
  /** Called once, before there is a session: the last moment to add operations to the graph. */
  default void begin(Ops tf) {}

  /** A session is there and the model is ready: the first one, or one after a failure. */
  default void afterCreateSession(Session session, Coordinator coordinator) {}

  /**
   * Whether training has reached its end already, so that no step is to be run. Asked when all
   * hooks have seen a new session.
   */
  default boolean isDone(Session session) {
    return false;
  }

  /**
   * What to add to the step that comes. Fed tensors pass to the session, which closes them after
   * the step; a hook that feeds one again gives a {@code retain()} of it.
   */
  default SessionRunArgs beforeRun(SessionRunContext context) {
    return SessionRunArgs.none();
  }

  /** A step has run. */
  default void afterRun(SessionRunContext context, SessionRunValues values) {}

  /** Training has come to a good end; the session is still open. */
  default void end(Session session) {}
}
