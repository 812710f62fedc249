package dev.tributary.train.hook;

import dev.tributary.ops.Ops;
import dev.tributary.session.Session;

/**
 * Actions around each checkpoint of a {@link CheckpointSaverHook}, such as an evaluation of the
 * saved model. Called on the hook's thread.
 */
public interface CheckpointSaverListener {
  /** Called once, before the first session. */
  default void begin(Ops tf) {}

  default void beforeSave(Session session, long globalStep) {}

  /** Called after a checkpoint was written. Returns whether training should stop. */
  default boolean afterSave(Session session, long globalStep) {
    return false;
  }

  /** Called at a good end of training, after the last checkpoint. */
  default void end(Session session, long globalStep) {}
}
