package dev.tributary.internal.kernel;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.tensor.Tensor;

/**
 * The collectives of one step: values that devices of a group compute together, in this process or
 * in several. Safe for use by many threads.
 */
@FunctionalInterface
public interface CollectiveExecutor {
  /** The end of a call. Exactly one of its methods is called, once, on any thread. */
  interface Completion {
    /** Hands over the output with its reference. */
    void succeed(Tensor output);

    void fail(RuntimeException failure);
  }

  /**
   * Takes part in a collective, without blocking. What the call holds belongs to the executor from
   * now on, also after a failure, since other members may still read it.
   *
   * @param cancellation ends the call early
   */
  void run(CollectiveCall call, Cancellation cancellation, Completion done);

  /** For steps that no other device takes part in. */
  static CollectiveExecutor none() {
    return (call, cancellation, done) -> {
      call.release();
      done.fail(
          TributaryException.unimplemented(
              "a %s cannot run here: functions that kernels call, and constants that are computed"
                  + " while a graph is prepared, take no part in collectives",
              call.kind()));
    };
  }
}
