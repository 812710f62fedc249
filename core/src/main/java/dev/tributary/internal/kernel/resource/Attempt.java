package dev.tributary.internal.kernel.resource;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.KernelContext;
import java.util.Optional;

/**
 * One call of an asynchronous kernel that waits its turn at a resource. The resource's {@link
 * AsyncMonitor} guards it until it has ended; whichever end comes first, success, failure or the
 * cancellation of its step, is the only one.
 */
public abstract class Attempt {
  /** The progress of an attempt. */
  public enum Progress {
    /** Nothing changed. */
    NONE,
    /** The resource changed, so that others may go on; the attempt still waits. */
    SOME,
    /** The attempt has what it came for. */
    DONE
  }

  private final String operation;
  private final KernelContext context;
  private final AsyncKernel.Completion done;
  private Runnable withdrawal = () -> {};
  private Optional<RuntimeException> failure = Optional.empty();
  private boolean ended;

  /**
   * @param operation what the call does, for the message when it is cancelled, such as {@code
   *     Dequeue}
   */
  protected Attempt(String operation, KernelContext context, AsyncKernel.Completion done) {
    this.operation = operation;
    this.context = context;
    this.done = done;
  }

  /**
   * Goes on as far as it can; under the monitor's lock. A failure that it throws ends the attempt.
   */
  protected abstract Progress proceed();

  /** Puts back what it took so far, since it failed; under the monitor's lock. */
  protected void giveBack() {}

  /** Sets the outputs after it succeeded; without a lock. */
  protected void deliver(KernelContext call) {}

  /** Lets {@code withdraw} be called when the step is cancelled, or at once if it was already. */
  final void begin(Runnable withdraw) {
    withdrawal = withdraw;
    cancellation().onCancel(withdraw);
  }

  /** Under the monitor's lock. */
  final boolean hasEnded() {
    return ended;
  }

  /** Under the monitor's lock. */
  final void succeed() {
    ended = true;
  }

  /** Under the monitor's lock. */
  final void fail(RuntimeException why) {
    ended = true;
    failure = Optional.of(why);
    giveBack();
  }

  final RuntimeException cancelled() {
    return TributaryException.derived(
        ErrorCode.CANCELLED,
        operation + " operation was cancelled",
        cancellation().reason().orElse(null));
  }

  /** Tells the executor how it ended; without a lock. */
  final void report() {
    cancellation().forget(withdrawal);
    if (failure.isPresent()) {
      done.fail(failure.get());
      return;
    }
    try {
      deliver(context);
    } catch (RuntimeException e) {
      done.fail(e);
      return;
    }
    done.succeed();
  }

  private Cancellation cancellation() {
    return context.step().cancellation();
  }
}
