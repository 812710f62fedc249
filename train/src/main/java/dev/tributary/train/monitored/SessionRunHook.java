package dev.tributary.train.monitored;

import dev.tributary.session.Session;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.queue.Coordinator;
import java.util.List;

/**
 * Something to do around the steps of a {@link MonitoredSession}, on the thread that runs them. A
 * hook adds its operations to the graph when it is made.
 */
public interface SessionRunHook {
  /** A session is there and the model is ready: the first one, or one after a failure. */
  default void afterCreateSession(Session session, Coordinator coordinator) {}

  /** What to add to the step that comes. */
  default SessionRunArgs beforeRun(SessionRunContext context) {
    return SessionRunArgs.none();
  }

  /**
   * A step has run.
   *
   * @param values of what {@link #beforeRun} asked for; they are closed afterwards
   */
  default void afterRun(SessionRunContext context, List<Tensor> values) {}

  /** Training has come to a good end; the session is still open. */
  default void end(Session session) {}
}
