package dev.tributary.train.hook;

import dev.tributary.ops.Ops;
import dev.tributary.session.Session;

/**
 * Something to do around each checkpoint of a {@link CheckpointSaverHook}, such as to evaluate what
 * was saved. Called on the hook's thread.
 */
public interface CheckpointSaverListener {
  /** Called once, before there is a session. */
  default void begin(Ops tf) {}

  default void beforeSave(Session session, long globalStep) {}

  /** Whether training is to stop now that this checkpoint is there. */
  default boolean afterSave(Session session, long globalStep) {
    return false;
  }

  /** Training has come to a good end; the last checkpoint is there. */
  default void end(Session session, long globalStep) {}
}
