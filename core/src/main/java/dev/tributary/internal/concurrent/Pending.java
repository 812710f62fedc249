package dev.tributary.internal.concurrent;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The result of a started step as its client waits for it: the session that runs the step ends it
 * once, with {@link #succeed} or {@link #fail}, also after a cancellation. Safe for use by many
 * threads.
 */
public final class Pending<R> {
  private final Cancellation cancellation;
  private final Consumer<R> discard;
  private final CompletableFuture<R> result = new CompletableFuture<>();
  private final AtomicBoolean taken = new AtomicBoolean();

  /**
   * Makes the result of a step that this cancellation ends.
   *
   * @param discard gives back a result that nobody awaited
   */
  public Pending(Cancellation cancellation, Consumer<R> discard) {
    this.cancellation = cancellation;
    this.discard = discard;
  }

  public void succeed(R value) {
    result.complete(value);
  }

  public void fail(RuntimeException why) {
    result.completeExceptionally(why);
  }

  public boolean isDone() {
    return result.isDone();
  }

  /** Waits for the result, which the caller then owns. Fails as the step failed. */
  public R await() {
    taken.set(
        true); // Before waiting, so that a close from another thread leaves the result to this one.
    try {
      return uninterrupted();
    } catch (ExecutionException e) {
      throw (RuntimeException) e.getCause();
    }
  }

  /** Returns whether the step was cancelled, for whichever reason. */
  public boolean isCancelled() {
    return cancellation.isCancelled();
  }

  /** Asks the step to end with CANCELLED; does not wait for it. */
  public void cancel() {
    cancellation.cancel(new TributaryException(ErrorCode.CANCELLED, "the step was cancelled"));
  }

  /** Cancels the step, waits for its end, and discards a result that nobody awaited. */
  public void close() {
    cancel();
    try {
      R value = uninterrupted();
      if (!taken.get()) {
        discard.accept(value);
      }
    } catch (ExecutionException e) {
      // The thread that awaits the step gets the failure; here nobody asks for the result.
    }
  }

  /**
   * An interrupt cancels the step. It is waited for even so, since it still uses memory of the
   * session and of the caller.
   */
  private R uninterrupted() throws ExecutionException {
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
