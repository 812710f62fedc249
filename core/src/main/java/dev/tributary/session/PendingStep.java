package dev.tributary.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.kernel.Cancellation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A started step as its client sees it: the session that runs it ends it once, with {@link
 * #succeed} or {@link #fail}, also after a cancellation. For those who write sessions. Safe for use
 * by many threads.
 */
public final class PendingStep implements RunningStep {
  private final Cancellation cancellation;
  private final CompletableFuture<StepResult> result = new CompletableFuture<>();
  private final AtomicBoolean taken = new AtomicBoolean();

  /** A step that heeds this cancellation. */
  public PendingStep(Cancellation cancellation) {
    this.cancellation = cancellation;
  }

  public void succeed(StepResult value) {
    result.complete(value);
  }

  public void fail(RuntimeException why) {
    result.completeExceptionally(why);
  }

  @Override
  public boolean isDone() {
    return result.isDone();
  }

  @Override
  public StepResult await() {
    taken.set(
        true); // Before waiting, so that a close from another thread leaves the result to this one.
    try {
      return uninterrupted();
    } catch (ExecutionException e) {
      throw (RuntimeException) e.getCause();
    }
  }

  /** Returns whether the step was told to end, for whichever reason. */
  boolean isCancelled() {
    return cancellation.isCancelled();
  }

  @Override
  public void cancel() {
    cancellation.cancel(new TributaryException(ErrorCode.CANCELLED, "the step was cancelled"));
  }

  @Override
  public void close() {
    cancel();
    try {
      StepResult value = uninterrupted();
      if (!taken.get()) {
        value.close();
      }
    } catch (ExecutionException e) {
      // Whoever awaits the step is told; here nobody asks for its result.
    }
  }

  /**
   * An interrupt cancels the step. It is waited for even so, since it still uses memory of the
   * session and of the caller.
   */
  private StepResult uninterrupted() throws ExecutionException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return result.get();
        } catch (InterruptedException e) {
          interrupted = true;
          cancellation.cancel(
              new TributaryException(
                  ErrorCode.CANCELLED, "the thread that waits for the step was interrupted"));
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
