package dev.tributary.internal.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Does things later, measured by its own ticks. Safe for use by many threads. */
public interface Timer extends Ticker {
  /** Something that is to be done later. */
  interface Alarm {
    Alarm NONE = () -> {};

    /** Leaves it out, unless it has begun. */
    void cancel();
  }

  /**
   * Runs a short task after a delay, never inside this call. A timer that is closed before runs it
   * when it closes, and one that is closed already runs it at once: what a task ends may be what a
   * caller waits for.
   */
  Alarm after(Duration delay, Runnable task);

  boolean isClosed();

  /** Repeats a short task until it returns false or the timer is closed. */
  default Alarm every(Duration interval, BooleanSupplier task) {
    Repetition repetition = new Repetition(this, interval, task);
    repetition.next();
    return repetition;
  }

  /** Fails a future that is not done within the limit, and returns it. */
  default <T> CompletableFuture<T> limit(
      CompletableFuture<T> future, Duration limit, Supplier<? extends RuntimeException> failure) {
    return endAfter(limit, future, () -> future.completeExceptionally(failure.get()));
  }

  /** Completes a future that is not done within the limit with a value, and returns it. */
  default <T> CompletableFuture<T> completeAfter(
      Duration limit, CompletableFuture<T> future, T otherwise) {
    return endAfter(limit, future, () -> future.complete(otherwise));
  }

  private <T> CompletableFuture<T> endAfter(
      Duration limit, CompletableFuture<T> future, Runnable end) {
    if (!future.isDone()) {
      Alarm alarm = after(limit, end);
      future.whenComplete((value, thrown) -> alarm.cancel());
    }
    return future;
  }

  /** This timer, with its tasks on other threads. */
  default Timer on(Executor executor) {
    Timer timer = this;
    return new Timer() {
      @Override
      public long nanos() {
        return timer.nanos();
      }

      @Override
      public Alarm after(Duration delay, Runnable task) {
        return timer.after(delay, () -> executor.execute(task));
      }

      @Override
      public boolean isClosed() {
        return timer.isClosed();
      }
    };
  }
}
