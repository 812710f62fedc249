package dev.tributary.testing;

import dev.tributary.internal.time.Timer;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/**
 * A clock that stands still until a test moves it: ticker and timer in one. Tasks run inside {@link
 * #advance}, in the order of their times, each at its own time; never inside {@link #after}. Safe
 * for use by many threads; tasks run on the thread that advances.
 */
public final class FakeClock implements Timer {
  private static final Duration WAIT_LIMIT = Duration.ofSeconds(20);

  private record Task(long nanos, long number, Runnable body) {}

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::nanos).thenComparingLong(Task::number));
  private long now = 1_000_000_000L;
  private long count;

  @Override
  public synchronized long nanos() {
    return now;
  }

  @Override
  public synchronized Alarm after(Duration delay, Runnable body) {
    Task task = new Task(now + Math.max(0, delay.toNanos()), count++, body);
    tasks.add(task);
    notifyAll();
    return () -> remove(task);
  }

  /** Moves on instead of blocking. */
  @Override
  public void sleep(Duration time) {
    advance(time);
  }

  @Override
  public boolean isClosed() {
    return false;
  }

  /** Lets time pass and runs what is due. */
  public void advance(Duration time) {
    long end = nanos() + time.toNanos();
    for (Optional<Task> due = next(end); due.isPresent(); due = next(end)) {
      due.get().body().run();
    }
  }

  /** Returns how many tasks are still to run. */
  public synchronized int pending() {
    return tasks.size();
  }

  /** Waits until other threads have left so many tasks to run. */
  public synchronized void awaitPending(int count) throws InterruptedException {
    long end = System.nanoTime() + WAIT_LIMIT.toNanos();
    while (tasks.size() < count) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        throw new AssertionError(tasks.size() + " tasks wait for the clock, wanted " + count);
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  /** Moves to the next task that is due, or to the end. */
  private synchronized Optional<Task> next(long end) {
    if (tasks.isEmpty() || tasks.peek().nanos() > end) {
      now = end;
      return Optional.empty();
    }
    Task task = tasks.remove();
    now = task.nanos();
    return Optional.of(task);
  }

  private synchronized void remove(Task task) {
    tasks.remove(task);
  }
}
