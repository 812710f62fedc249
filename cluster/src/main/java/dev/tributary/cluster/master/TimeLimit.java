package dev.tributary.cluster.master;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Ends what takes too long. */
final class TimeLimit {
  private TimeLimit() {}

  /** Runs a short task later, unless the future is cancelled first. */
  static Future<?> after(ScheduledExecutorService timer, Duration limit, Runnable task) {
    try {
      return timer.schedule(task, limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // The server stops, and cancels whatever this would have ended.
      return CompletableFuture.completedFuture(null);
    }
  }

  /** Fails a future that is not done within the limit. */
  static <T> CompletableFuture<T> on(
      CompletableFuture<T> future,
      ScheduledExecutorService timer,
      Duration limit,
      Supplier<RuntimeException> failure) {
    if (!future.isDone()) {
      Future<?> alarm = after(timer, limit, () -> future.completeExceptionally(failure.get()));
      future.whenComplete((value, thrown) -> alarm.cancel(false));
    }
    return future;
  }
}
