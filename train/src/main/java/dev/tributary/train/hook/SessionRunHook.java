package dev.tributary.train.hook;

import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.train.queue.Coordinator;

/**
 * Actions around the steps of a monitored session. All calls come from the thread that uses the
 * session, one after the other; under a {@code Supervisor}, from a thread of the hook. An exception
 * fails the step; after ABORTED or UNAVAILABLE, training continues in a new session.
 */
public interface SessionRunHook {
  /** Called once, before the first session. The hook may add operations to the graph. */
  default void begin(Ops tf) {}

  /**
   * Returns whether the hook acts around steps. A supervisor does not see the steps of its program
   * and refuses such a hook; others override this method, and may be used there too.
   */
  default boolean actsAroundSteps() {
    return true;
  }

  /** Called for each new session, the first one or one after a failure, with the model ready. */
  default void afterCreateSession(Session session, Coordinator coordinator) {}

  /**
   * Returns whether training has ended already, so that no step should run. Called when all hooks
   * have seen a new session.
   */
  default boolean isDone(Session session) {
    return false;
  }

  /**
   * Returns what to add to the next step. The session closes fed tensors after the step; a hook
   * that feeds one again returns a {@code retain()} of it.
   */
  default SessionRunArgs beforeRun(SessionRunContext context) {
    return SessionRunArgs.none();
  }

  /** Called after each step. */
  default void afterRun(SessionRunContext context, SessionRunValues values) {}

  /** Called at a good end of training, while the session is open. */
  default void end(Session session) {}
}
