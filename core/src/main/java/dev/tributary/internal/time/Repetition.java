package dev.tributary.internal.time;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A task that a timer repeats. Guarded by its own monitor, under which nobody is called. */
final class Repetition implements Timer.Alarm, Runnable {
  private final Timer timer;
  private final Duration interval;
  private final BooleanSupplier task;

  @GuardedBy("this")
  private Timer.Alarm alarm = Timer.Alarm.NONE;

  @GuardedBy("this")
  private boolean cancelled;

  Repetition(Timer timer, Duration interval, BooleanSupplier task) {
    this.timer = timer;
    this.interval = interval;
    this.task = task;
  }

  void next() {
    Timer.Alarm next = timer.after(interval, this);
    if (!keep(next)) {
      next.cancel();
    }
  }

  @Override
  public void run() {
    if (!timer.isClosed() && !isCancelled() && task.getAsBoolean()) {
      next();
    }
  }

  @Override
  public void cancel() {
    Timer.Alarm last;
    synchronized (this) {
      cancelled = true;
      last = alarm;
    }
    last.cancel();
  }

  private synchronized boolean keep(Timer.Alarm next) {
    alarm = next;
    return !cancelled;
  }

  private synchronized boolean isCancelled() {
    return cancelled;
  }
}
