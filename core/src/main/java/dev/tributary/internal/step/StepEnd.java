package dev.tributary.internal.step;

import dev.tributary.internal.concurrent.Cancellation;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The end of a step, which comes when everything that was begun for it has ended: the graphs of all
 * devices, and values that are under way to other tasks. The graph counts as begun at once. The
 * first failure cancels the rest. Safe for use by many threads.
 */
public final class StepEnd {
  private final Cancellation cancellation;
  private final Consumer<Optional<RuntimeException>> onEnd;

  /** One from the beginning, for the graph that has not started yet. */
  private final AtomicInteger unfinished = new AtomicInteger(1);

  /**
   * @param onEnd called once, with the first failure if there was one
   */
  public StepEnd(Cancellation cancellation, Consumer<Optional<RuntimeException>> onEnd) {
    this.cancellation = cancellation;
    this.onEnd = onEnd;
  }

  public Cancellation cancellation() {
    return cancellation;
  }

  /** Counts more things that have to end; the end must not have come yet. */
  public void begin(int count) {
    unfinished.addAndGet(count);
  }

  /** Counts one thing that has ended, possibly with a failure. */
  public void ended(Optional<RuntimeException> failure) {
    if (failure.isPresent()) {
      cancellation.cancel(failure.get());
    }
    if (unfinished.decrementAndGet() == 0) {
      onEnd.accept(cancellation.reason());
    }
  }
}
