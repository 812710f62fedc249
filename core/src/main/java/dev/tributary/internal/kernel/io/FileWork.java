package dev.tributary.internal.kernel.io;

import dev.tributary.internal.kernel.KernelContext;

/**
 * The work of one call of a file op on a file thread. It holds all that it needs, as the step may
 * end before it does and take its values away: the call's context is not for it.
 */
@FunctionalInterface
public interface FileWork extends AutoCloseable {
  /** The result of the work, for which the step may still wait. */
  @FunctionalInterface
  interface Outcome {
    /** Sets the outputs. */
    void deliver(KernelContext context);

    /** Gives back what the outcome holds, if nobody waits for it. */
    default void discard() {}
  }

  /** Reads or writes files, on a thread that is interrupted when nobody waits any more. */
  Outcome run();

  /** Gives back what the work holds, when it is done or will never be. */
  @Override
  default void close() {}
}
