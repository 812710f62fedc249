package dev.tributary.internal.concurrent;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.time.Timer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The time of a call, from its beginning until it is closed. Before that, each cancellation that it
 * follows and each limit can end the call early, which cancels its {@link #cancellation}; after
 * that none of them remembers it. Guarded by its own monitor, under which nobody is called.
 *
 * <pre>{@code
 * CallScope scope = new CallScope(timer).follow(caller).within(limit, () -> "the step");
 * run(scope.cancellation()).whenComplete((value, thrown) -> scope.close());
 * }</pre>
 */
public final class CallScope implements AutoCloseable {
  private static final Cancellation[] NONE = {};
  private static final Timer.Alarm[] NO_ALARMS = {};

  private final Timer timer;
  private final Consumer<RuntimeException> onEarlyEnd;
  private final Cancellation cancellation = new Cancellation();

  /** One for all that are followed: it looks for the one that was cancelled. */
  private final Runnable link = this::followedCancelled;

  @GuardedBy("this")
  private Cancellation[] followed = NONE;

  @GuardedBy("this")
  private Timer.Alarm[] alarms = NO_ALARMS;

  @GuardedBy("this")
  private boolean closed;

  public CallScope(Timer timer) {
    this(timer, reason -> {});
  }

  /**
   * @param onEarlyEnd called at most once, with the reason to end the call early
   */
  public CallScope(Timer timer, Consumer<RuntimeException> onEarlyEnd) {
    this.timer = timer;
    this.onEarlyEnd = onEarlyEnd;
  }

  /** Cancelled when the call ends early; the work of the call observes it. */
  public Cancellation cancellation() {
    return cancellation;
  }

  /** Ends the call early when one of these is cancelled, with its reason. */
  public CallScope follow(Cancellation... cancellations) {
    synchronized (this) {
      followed = followed.length == 0 ? cancellations : concat(followed, cancellations);
    }
    for (Cancellation other : cancellations) {
      other.onCancel(link);
    }
    if (isClosed()) {
      forget(cancellations); // Another thread closed it while it was linked.
    }
    return this;
  }

  /**
   * Ends the call early, with DEADLINE_EXCEEDED, if it takes longer than this.
   *
   * @param name of the call in the error's text
   */
  public CallScope within(Optional<Duration> limit, Supplier<String> name) {
    if (limit.isPresent()) {
      Duration time = limit.get();
      after(time, () -> endEarly(late(name.get(), time)));
    }
    return this;
  }

  /** Runs a task after a delay, unless the call is over by then. */
  public void after(Duration delay, Runnable task) {
    if (!isClosed()) {
      add(timer.after(delay, task));
    }
  }

  /** Returns a future that is done when the given one is, or fails when the call ends early. */
  public <T> CompletableFuture<T> awaiting(CompletableFuture<T> future) {
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
    Cancellation[] linked;
    Timer.Alarm[] set;
    synchronized (this) {
      closed = true;
      linked = followed;
      set = alarms;
    }
    for (Timer.Alarm alarm : set) {
      alarm.cancel();
    }
    forget(linked);
  }

  private void forget(Cancellation[] linked) {
    for (Cancellation other : linked) {
      other.forget(link);
    }
  }

  private void add(Timer.Alarm alarm) {
    boolean over;
    synchronized (this) {
      alarms = Arrays.copyOf(alarms, alarms.length + 1);
      alarms[alarms.length - 1] = alarm;
      over = closed;
    }
    if (over) {
      alarm.cancel();
    }
  }

  private void followedCancelled() {
    for (Cancellation other : followed()) {
      Optional<RuntimeException> reason = other.reason();
      if (reason.isPresent()) {
        endEarly(reason.get());
        return;
      }
    }
  }

  private void endEarly(RuntimeException reason) {
    if (!isClosed() && cancellation.cancel(reason)) {
      onEarlyEnd.accept(reason);
    }
  }

  private synchronized Cancellation[] followed() {
    return followed;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private static Cancellation[] concat(Cancellation[] first, Cancellation[] second) {
    Cancellation[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  private static TributaryException late(String name, Duration limit) {
    return new TributaryException(
        ErrorCode.DEADLINE_EXCEEDED, name + " did not end within " + limit.toMillis() + " ms");
  }
}
