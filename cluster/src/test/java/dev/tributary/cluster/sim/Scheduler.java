package dev.tributary.cluster.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * Runs everything, one thing at a time. What is ready runs in an order that the seed decides; only
 * when nothing is ready does the clock go on to the next thing that has its time. Confined to one
 * thread.
 */
final class Scheduler {
  /** Something that has its time. */
  static final class Alarm implements Comparable<Alarm> {
    private final long nanos;
    private final long number;
    private final String label;
    private final Runnable task;
    private boolean over;

    private Alarm(long nanos, long number, String label, Runnable task) {
      this.nanos = nanos;
      this.number = number;
      this.label = label;
      this.task = task;
    }

    /** Whether it was still to come, and now never will. */
    boolean cancel() {
      boolean first = !over;
      over = true;
      return first;
    }

    boolean isOver() {
      return over;
    }

    long nanos() {
      return nanos;
    }

    @Override
    public int compareTo(Alarm other) {
      int byTime = Long.compare(nanos, other.nanos);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private record Ready(String label, Runnable task) {}

  private final Random random;
  private final Trace trace;
  private final List<Ready> ready = new ArrayList<>();
  private final PriorityQueue<Alarm> alarms = new PriorityQueue<>();
  private long now;
  private long alarmCount;

  Scheduler(Random random, Trace trace) {
    this.random = random;
    this.trace = trace;
  }

  /** Nanoseconds since the simulation began. */
  long now() {
    return now;
  }

  /** Runs something soon. */
  void soon(String label, Runnable task) {
    ready.add(new Ready(label, task));
  }

  /** Runs something when its time has come. */
  Alarm after(Duration delay, String label, Runnable task) {
    Alarm alarm = new Alarm(now + Math.max(0, delay.toNanos()), alarmCount++, label, task);
    alarms.add(alarm);
    return alarm;
  }

  /** Runs until the condition holds, nothing is left to run, or the time is over. */
  void runUntil(BooleanSupplier condition, Duration limit) {
    long end = now + limit.toNanos();
    while (!condition.getAsBoolean() && runNext(end)) {}
  }

  /** Lets time pass. */
  void runFor(Duration time) {
    long end = now + time.toNanos();
    while (runNext(end)) {}
    now = end;
  }

  private boolean runNext(long end) {
    if (!ready.isEmpty()) {
      int chosen = random.nextInt(ready.size());
      Ready last = ready.remove(ready.size() - 1);
      Ready next = chosen == ready.size() ? last : ready.set(chosen, last);
      trace.add(now, next.label);
      next.task.run();
      return true;
    }
    while (!alarms.isEmpty() && alarms.peek().over) {
      alarms.remove();
    }
    if (alarms.isEmpty() || alarms.peek().nanos > end) {
      return false;
    }
    Alarm next = alarms.remove();
    now = next.nanos;
    next.over = true;
    trace.add(now, next.label);
    next.task.run();
    return true;
  }
}
