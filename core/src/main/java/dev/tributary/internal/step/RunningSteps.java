package dev.tributary.internal.step;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.internal.concurrent.Cancellation;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The steps that a session or a worker has begun and that have not ended, and whether more may
 * begin. Guarded by its own monitor, under which nothing is cancelled.
 */
public final class RunningSteps {
  /** In the order in which they began, so that simulations cancel them in one order. */
  @GuardedBy("this")
  private final Set<Cancellation> running = new LinkedHashSet<>();

  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  @GuardedBy("this")
  private Optional<Supplier<? extends RuntimeException>> refusal = Optional.empty();

  /** Lets a step begin, unless this is closed. Every step that begins must {@link #end}. */
  public Cancellation begin() {
    Cancellation step = new Cancellation();
    begin(step);
    return step;
  }

  /** Lets a step begin that this cancellation ends. */
  public synchronized void begin(Cancellation step) {
    if (refusal.isPresent()) {
      throw refusal.get().get();
    }
    running.add(step);
  }

  public void end(Cancellation step) {
    synchronized (this) {
      running.remove(step);
      if (refusal.isEmpty() || !running.isEmpty()) {
        return;
      }
    }
    ended.complete(null);
  }

  /**
   * Lets no step begin any more, and cancels those that have.
   *
   * @param newRefusal makes the failure of each step that wants to begin later
   * @param reason the reason of the cancellations
   * @return done when the last step has ended
   */
  public CompletableFuture<Void> close(
      Supplier<? extends RuntimeException> newRefusal, RuntimeException reason) {
    List<Cancellation> toCancel;
    synchronized (this) {
      refusal = Optional.of(newRefusal);
      toCancel = List.copyOf(running);
    }
    toCancel.forEach(step -> step.cancel(reason));
    if (toCancel.isEmpty()) {
      ended.complete(null);
    }
    return ended.copy();
  }

  /**
   * Waits until the last step of what was closed has ended; returns how many are left when the time
   * is over.
   */
  public int awaitNone(Duration limit) {
    try {
      ended.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // The number of steps that are left says so.
    }
    return count();
  }

  /** Returns how many steps run. */
  public synchronized int count() {
    return running.size();
  }
}
