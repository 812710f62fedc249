package dev.tributary.internal.kernel;

import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.tensor.Tensor;

/**
 * A function of a graph that a kernel calls, ready to run. It is made once and called many times,
 * also at the same time; each call is a step of its own, with its own resources, inside the step of
 * the caller. Safe for use by many threads.
 */
public interface CapturedFunction {
  /** Receives the end of a call, exactly once, on whichever thread ends it. */
  interface Completion {
    /** The results, which belong to the caller from now on. */
    void succeed(Tensor[] results);

    void fail(RuntimeException failure);
  }

  /**
   * Starts a call on this thread; it never waits.
   *
   * @param arguments on loan until the call has ended
   * @param caller ends the call when it is cancelled
   */
  void call(Tensor[] arguments, Cancellation caller, Completion done);
}
