package dev.tributary.internal.step;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A place among {@link PreparedSteps}, which guard the number of its users by their monitor.
 *
 * @param <S> a step that is ready to run
 */
public final class PreparedStep<S> {
  final Object key;
  final CompletableFuture<S> step = new CompletableFuture<>();
  int users;

  PreparedStep(Object key) {
    this.key = key;
  }

  /** Done when the step is ready, or failed as its preparation did. */
  public CompletableFuture<S> step() {
    return step;
  }

  /** Waits for the step; fails as its preparation did. */
  public S await() {
    try {
      return step.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    }
  }

  /** Returns whether the step is ready. */
  public boolean isReady() {
    return step.isDone() && !step.isCompletedExceptionally();
  }
}
