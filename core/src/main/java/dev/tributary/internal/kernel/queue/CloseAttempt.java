package dev.tributary.internal.kernel.queue;

import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.resource.Attempt;

/** Closes a queue when all enqueues before it have ended. */
final class CloseAttempt extends Attempt {
  private final TensorQueue queue;

  CloseAttempt(TensorQueue queue, KernelContext context, AsyncKernel.Completion done) {
    super("Close", context, done);
    this.queue = queue;
  }

  @Override
  protected Progress proceed() {
    queue.closeWhenReached();
    return Progress.DONE;
  }
}
