package dev.tributary.cluster.internal.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for the answers of masters. Calls carry their own timeouts. */
final class Answers {
  private Answers() {}

  static <T> T await(CompletableFuture<T> answer) {
    return await(answer, Duration.ofHours(1), () -> {});
  }

  /** Waits, and logs now and then that it does. */
  static <T> T await(CompletableFuture<T> answer, Duration interval, Runnable stillWaiting) {
    while (true) {
      try {
        return answer.get(interval.toNanos(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        stillWaiting.run();
      } catch (ExecutionException e) {
        throw failure(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new TributaryException(
            ErrorCode.CANCELLED, "the thread that waits for the master was interrupted");
      }
    }
  }

  /** The failure itself, without what futures wrap around it. */
  static RuntimeException failure(Throwable wrapped) {
    Throwable failure = wrapped;
    while ((failure instanceof CompletionException || failure instanceof ExecutionException)
        && failure.getCause() != null) {
      failure = failure.getCause();
    }
    return failure instanceof RuntimeException e
        ? e
        : new TributaryException(ErrorCode.INTERNAL, failure.toString(), failure);
  }
}
