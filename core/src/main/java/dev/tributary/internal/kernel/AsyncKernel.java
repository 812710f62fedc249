package dev.tributary.internal.kernel;

/**
 * A kernel that waits for something, such as a queue or another task. It never blocks the calling
 * thread: it registers interest and calls {@code done} when its outputs are set or it failed.
 */
public interface AsyncKernel extends Kernel {
  /**
   * The callback that an asynchronous kernel calls exactly once. A kernel that a cancellation may
   * overtake settles which of the two comes before it sets outputs: after {@link #fail} the context
   * is no longer its own.
   */
  interface Completion {
    void succeed();

    void fail(RuntimeException failure);
  }

  void computeAsync(KernelContext context, Completion done);

  @Override
  default void compute(KernelContext context) {
    throw new UnsupportedOperationException("an asynchronous kernel is not called synchronously");
  }
}
