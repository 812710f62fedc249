package dev.tributary.cluster.master;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.kernel.Cancellation;
import dev.tributary.step.RunningSteps;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The life of one piece of a session's work: from its beginning until it is closed, its client, its
 * time limit and the end of the session can cancel it. Safe for use by many threads.
 */
final class StepScope implements AutoCloseable {
  private final RunningSteps running;
  private final LinkedCancellation link;
  private final Optional<Future<?>> alarm;

  /** Begins; FAILED_PRECONDITION if the session is closed. */
  StepScope(
      RunningSteps running,
      Optional<Duration> limit,
      ScheduledExecutorService timer,
      Cancellation... callers) {
    this.running = running;
    this.link = new LinkedCancellation(callers);
    try {
      running.begin(cancellation());
    } catch (TributaryException e) {
      link.close();
      throw e;
    }
    this.alarm = limit.map(l -> TimeLimit.after(timer, l, () -> cancellation().cancel(late(l))));
  }

  Cancellation cancellation() {
    return link.cancellation();
  }

  /** A future that is done when the given one is, or fails when this is cancelled before. */
  <T> CompletableFuture<T> awaiting(CompletableFuture<T> future) {
    if (future.isDone()) {
      return future;
    }
    CompletableFuture<T> either = future.copy();
    Runnable onCancel = () -> cancellation().reason().ifPresent(either::completeExceptionally);
    cancellation().onCancel(onCancel);
    either.whenComplete((value, thrown) -> cancellation().forget(onCancel));
    return either;
  }

  @Override
  public void close() {
    alarm.ifPresent(a -> a.cancel(false));
    link.close();
    running.end(cancellation());
  }

  private static TributaryException late(Duration limit) {
    return new TributaryException(
        ErrorCode.DEADLINE_EXCEEDED, "the step did not end within " + limit.toMillis() + " ms");
  }
}
