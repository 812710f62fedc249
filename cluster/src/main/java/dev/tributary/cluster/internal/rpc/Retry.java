package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.error.ErrorCode;
import dev.tributary.internal.time.Deadline;
import dev.tributary.internal.time.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Repeats a call while the master is UNAVAILABLE, ten times at most, as TensorFlow's own client
 * does. The request stays the same, its id too: a master that saw it before says ABORTED, and then
 * the first failure was its answer. Immutable.
 */
final class Retry {
  private static final int MOST = 10;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(1);
  private static final double GROWTH = 1.3;

  private final Timer timer;
  private final BooleanSupplier isLost;

  /**
   * @param isLost whether the master has fallen silent, so that trying again only takes time
   */
  Retry(Timer timer, BooleanSupplier isLost) {
    this.timer = timer;
    this.isLost = isLost;
  }

  <R> CompletableFuture<R> call(
      Function<CallOptions, CompletableFuture<R>> call, CallOptions options) {
    CompletableFuture<R> result = new CompletableFuture<>();
    Optional<Deadline> end = options.timeout().map(limit -> Deadline.in(limit, timer));
    new Attempts<>(call, options, end, result).attempt(0);
    return result;
  }

  /** All attempts of one call, one after the other. */
  private final class Attempts<R> {
    private final Function<CallOptions, CompletableFuture<R>> call;
    private final CallOptions options;
    private final Optional<Deadline> end;
    private final CompletableFuture<R> result;
    private Optional<Throwable> first = Optional.empty();

    Attempts(
        Function<CallOptions, CompletableFuture<R>> call,
        CallOptions options,
        Optional<Deadline> end,
        CompletableFuture<R> result) {
      this.call = call;
      this.options = options;
      this.end = end;
      this.result = result;
    }

    void attempt(int number) {
      CallOptions left = end.map(deadline -> options.within(deadline.left())).orElse(options);
      call.apply(left)
          .whenComplete(
              (value, error) -> {
                if (error == null) {
                  result.complete(value);
                } else if (isWorthwhile(error, number)) {
                  first = first.or(() -> Optional.of(error));
                  timer.after(pause(number), () -> attempt(number + 1));
                } else {
                  result.completeExceptionally(isRepeated(error) ? first.get() : error);
                }
              });
    }

    private boolean isRepeated(Throwable error) {
      return first.isPresent() && Statuses.toException(error).code() == ErrorCode.ABORTED;
    }

    private boolean isWorthwhile(Throwable error, int number) {
      return number < MOST
          && !options.cancellation().isCancelled()
          && !isLost.getAsBoolean()
          && Statuses.toException(error).code() == ErrorCode.UNAVAILABLE;
    }
  }

  private static Duration pause(int number) {
    return Duration.ofNanos((long) (FIRST_PAUSE.toNanos() * Math.pow(GROWTH, number)));
  }
}
