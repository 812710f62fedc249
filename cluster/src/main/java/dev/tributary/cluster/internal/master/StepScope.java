package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.CallScope;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.step.RunningSteps;
import dev.tributary.internal.time.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The life of one piece of a session's work: from its beginning until it is closed, its client, its
 * time limit and the end of the session can cancel it. Safe for use by many threads.
 */
final class StepScope implements AutoCloseable {
  private final RunningSteps running;
  private final Cancellation cancellation = new Cancellation();
  private final CallScope scope;

  /** Begins; FAILED_PRECONDITION if the session is closed. */
  StepScope(RunningSteps running, Optional<Duration> limit, Timer timer, Cancellation... callers) {
    this.running = running;
    this.scope = new CallScope(timer, cancellation::cancel).follow(callers);
    try {
      running.begin(cancellation);
    } catch (TributaryException e) {
      scope.close();
      throw e;
    }
    scope.within(limit, () -> "the step");
  }

  Cancellation cancellation() {
    return cancellation;
  }

  /** A future that is done when the given one is, or fails when this is cancelled before. */
  <T> CompletableFuture<T> awaiting(CompletableFuture<T> future) {
    if (future.isDone()) {
      return future;
    }
    CompletableFuture<T> either = future.copy();
    Runnable onCancel = () -> cancellation.reason().ifPresent(either::completeExceptionally);
    cancellation.onCancel(onCancel);
    either.whenComplete((value, thrown) -> cancellation.forget(onCancel));
    return either;
  }

  @Override
  public void close() {
    scope.close();
    running.end(cancellation);
  }
}
