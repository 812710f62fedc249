package dev.tributary.cluster.sim;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A task's timer, on the clock of the simulation. */
final class SimulatedTimer extends AbstractExecutorService implements ScheduledExecutorService {
  private final Scheduler scheduler;
  private final String label;

  SimulatedTimer(Scheduler scheduler, String owner) {
    this.scheduler = scheduler;
    this.label = owner + " timer";
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    return start(new Once<>(command), unit.toNanos(delay));
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
    return start(new Once<>(callable), unit.toNanos(delay));
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable command, long initialDelay, long period, TimeUnit unit) {
    return scheduleWithFixedDelay(command, initialDelay, period, unit);
  }

  /** Commands take no time here, so delay and period are the same. */
  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    return start(new Repeated(command, unit.toNanos(delay)), unit.toNanos(initialDelay));
  }

  @Override
  public void execute(Runnable command) {
    scheduler.soon(label, command);
  }

  private <F extends Once<?>> F start(F future, long nanos) {
    future.alarm = scheduler.after(Duration.ofNanos(nanos), label, future);
    return future;
  }

  /** Runs once, unless it is cancelled. */
  private class Once<V> extends FutureTask<V> implements ScheduledFuture<V> {
    Scheduler.Alarm alarm;

    Once(Runnable command) {
      super(command, null);
    }

    Once(Callable<V> callable) {
      super(callable);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      alarm.cancel();
      return super.cancel(mayInterruptIfRunning);
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(alarm.nanos() - scheduler.now(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }

  /** Runs again and again, until it is cancelled or fails. */
  private final class Repeated extends Once<Object> {
    private final long period;

    Repeated(Runnable command, long period) {
      super(command);
      this.period = period;
    }

    @Override
    public void run() {
      if (runAndReset()) {
        start(this, period);
      }
    }
  }

  @Override
  public void shutdown() {}

  @Override
  public List<Runnable> shutdownNow() {
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return false;
  }
}
