package dev.tributary.kernel.queue;

import dev.tributary.kernel.AsyncKernel;
import dev.tributary.kernel.KernelContext;
import dev.tributary.kernel.resource.Attempt;

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
