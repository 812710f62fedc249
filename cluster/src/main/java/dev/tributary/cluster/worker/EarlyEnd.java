package dev.tributary.cluster.worker;

import dev.tributary.cluster.protocol.CallOptions;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.kernel.Cancellation;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** How calls end before they are answered: their caller cancels them, or their time is over. */
final class EarlyEnd {
  private final ScheduledExecutorService timer;

  EarlyEnd(ScheduledExecutorService timer) {
    this.timer = timer;
  }

  /**
   * Calls {@code end} with the reason if the call is to end before its result is there.
   *
   * @param call what errors call it
   */
  void watch(
      Supplier<String> call,
      CallOptions options,
      CompletableFuture<?> result,
      Consumer<RuntimeException> end) {
    if (result.isDone()) {
      return;
    }
    Cancellation cancellation = options.cancellation();
    Runnable onCancel = () -> end.accept(cancelled(call.get(), cancellation));
    Optional<Future<?>> deadline =
        options.timeout().map(limit -> after(limit, () -> end.accept(expired(call.get(), limit))));
    cancellation.onCancel(onCancel);
    result.whenComplete(
        (value, failure) -> {
          cancellation.forget(onCancel);
          deadline.ifPresent(task -> task.cancel(false));
        });
  }

  /** Does something a while later, or at once if the timer has been shut down. */
  Future<?> after(Duration delay, Runnable task) {
    try {
      return timer.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      task.run();
      return CompletableFuture.completedFuture(null);
    }
  }

  private static TributaryException cancelled(String call, Cancellation cancellation) {
    RuntimeException reason = cancellation.reason().orElseThrow();
    return TributaryException.derived(
        ErrorCode.CANCELLED, call + " was cancelled: " + reason.getMessage(), reason);
  }

  private static TributaryException expired(String call, Duration limit) {
    return new TributaryException(
        ErrorCode.DEADLINE_EXCEEDED, call + " did not end within " + limit.toMillis() + " ms");
  }
}
