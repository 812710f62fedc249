package dev.tributary.internal.kernel;

import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.List;

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

  /** Fails with INVALID_ARGUMENT if the function does not return values of these types. */
  void requireResults(List<DataType> types);

  /**
   * Starts a call on this thread; it never waits. Arguments of other types or of another number
   * than the function has fail it with INVALID_ARGUMENT.
   *
   * @param arguments on loan until the call has ended
   * @param caller ends the call when it is cancelled
   */
  void call(Tensor[] arguments, Cancellation caller, Completion done);

  /** Keeps the function usable after its graph has ended, for values that outlive their step. */
  Retained retain();

  /** A reference to a function. It is not closed before the last of its calls has ended. */
  interface Retained extends AutoCloseable {
    /**
     * Begins a call on this thread, where it may end before this returns; a long one continues on
     * the pool.
     */
    void callHere(Tensor[] arguments, Cancellation caller, Completion done);

    @Override
    void close();
  }
}
