package dev.tributary.cluster.internal.protocol;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.time.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The time of a call, from its beginning until it is closed. Before that, each cancellation that it
 * follows and each limit can end the call early; afterwards none of them remembers it. Guarded by
 * its own monitor, under which nobody is called.
 *
 * <pre>{@code
 * CallScope scope = new CallScope(timer, work::cancel).follow(caller).within(limit, () -> "the step");
 * work.result().whenComplete((value, thrown) -> scope.close());
 * }</pre>
 */
public final class CallScope implements AutoCloseable {
  private static final Cancellation[] NONE = {};

  private final Timer timer;
  private final Consumer<RuntimeException> end;

  /** One for all cancellations, which need not know whose it is: whoever calls it has a reason. */
  private final Runnable link = this::cancelled;

  private Cancellation[] followed = NONE;
  private Timer.Alarm alarm = Timer.Alarm.NONE;
  private boolean endedEarly;
  private boolean closed;

  /**
   * @param end called once at most, with the first reason to end the call early
   */
  public CallScope(Timer timer, Consumer<RuntimeException> end) {
    this.timer = timer;
    this.end = end;
  }

  /**
   * Watches a call that a caller waits for, until it is answered: ends it early when the caller
   * says so or its timeout is over.
   *
   * @param name of the call in the error's text
   * @param end called with the error that the caller gets
   */
  public static void watch(
      Timer timer,
      Supplier<String> name,
      CallOptions options,
      CompletableFuture<?> answer,
      Consumer<RuntimeException> end) {
    if (answer.isDone()) {
      return;
    }
    Cancellation caller = options.cancellation();
    CallScope scope =
        new CallScope(
            timer,
            reason -> end.accept(isOf(caller, reason) ? cancelled(name.get(), reason) : reason));
    scope.follow(caller).within(options.timeout(), name);
    answer.whenComplete((value, thrown) -> scope.close());
  }

  /** Ends the call early when one of these is cancelled, with its reason. */
  public CallScope follow(Cancellation... cancellations) {
    synchronized (this) {
      followed = cancellations;
    }
    for (Cancellation other : cancellations) {
      other.onCancel(link);
    }
    if (isClosed()) {
      forget(cancellations); // It was closed by another thread while it was linked.
    }
    return this;
  }

  /**
   * Ends the call early, as DEADLINE_EXCEEDED, if it takes longer than this.
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

  /** Runs a task after a delay, unless the call is over by then. A scope has one such task. */
  public void after(Duration delay, Runnable task) {
    if (!isClosed()) {
      set(timer.after(delay, task));
    }
  }

  @Override
  public void close() {
    Cancellation[] linked;
    Timer.Alarm set;
    synchronized (this) {
      closed = true;
      linked = followed;
      set = alarm;
    }
    set.cancel();
    forget(linked);
  }

  private void forget(Cancellation[] linked) {
    for (Cancellation other : linked) {
      other.forget(link);
    }
  }

  private void set(Timer.Alarm newAlarm) {
    boolean over;
    synchronized (this) {
      alarm = newAlarm;
      over = closed;
    }
    if (over) {
      newAlarm.cancel();
    }
  }

  private void cancelled() {
    for (Cancellation other : linked()) {
      Optional<RuntimeException> reason = other.reason();
      if (reason.isPresent()) {
        endEarly(reason.get());
        return;
      }
    }
  }

  private void endEarly(RuntimeException reason) {
    synchronized (this) {
      if (closed || endedEarly) {
        return;
      }
      endedEarly = true;
    }
    end.accept(reason);
  }

  private synchronized Cancellation[] linked() {
    return followed;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private static boolean isOf(Cancellation caller, RuntimeException reason) {
    return caller.reason().filter(given -> given == reason).isPresent();
  }

  private static TributaryException cancelled(String name, RuntimeException reason) {
    return TributaryException.derived(
        ErrorCode.CANCELLED, name + " was cancelled: " + reason.getMessage(), reason);
  }

  private static TributaryException late(String name, Duration limit) {
    return new TributaryException(
        ErrorCode.DEADLINE_EXCEEDED, name + " did not end within " + limit.toMillis() + " ms");
  }
}
