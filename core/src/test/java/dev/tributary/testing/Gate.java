package dev.tributary.testing;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.KernelContext;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Where asynchronous test kernels wait until a test completes them, or their step is cancelled. */
public final class Gate {
  /** One kernel that waits. */
  public record Waiter(KernelContext context, AsyncKernel.Completion completion) {
    /** Passes the first input on. */
    public void pass() {
      context.setOutput(0, context.input(0).retain());
      completion.succeed();
    }
  }

  private final BlockingQueue<Waiter> waiters = new LinkedBlockingQueue<>();

  void add(KernelContext context, AsyncKernel.Completion completion) {
    waiters.add(new Waiter(context, completion));
    context
        .step()
        .cancellation()
        .onCancel(
            () ->
                completion.fail(
                    new TributaryException(ErrorCode.CANCELLED, "the wait was cancelled")));
  }

  /** The next kernel that has come to wait; fails if none does within the limit of a test. */
  public Waiter next() throws InterruptedException {
    Waiter waiter = waiters.poll(20, TimeUnit.SECONDS);
    if (waiter == null) {
      throw new AssertionError("no kernel came to the gate");
    }
    return waiter;
  }
}
