package dev.tributary.internal.kernel.io;

import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.kernel.DeviceActivity;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Keeps long work on the disk from slowing what runs beside it. While other steps begin on the
 * device, the thread that works rests so long that it takes a twenty-fifth of a core at most; alone
 * it never rests. A cancelled step ends the work. To be run between pieces of the work, by its
 * thread.
 */
final class BackgroundPace implements Runnable {
  private static final int SHARE = 25;

  /** Others are there for so long after they were seen last. */
  private static final long PRESENCE_NANOS = 200_000_000;

  private static final long LONGEST_REST_NANOS = 100_000_000;

  private final DeviceActivity activity;
  private final Cancellation cancellation;
  private final Clocks clocks;
  private final LongConsumer rest;
  private long stepsSeen;
  private long seenNanos;
  private long workedNanos;

  /** The clocks of a pace, in nanoseconds. */
  interface Clocks {
    long now();

    /** Returns how long this thread has had a core so far. */
    long worked();
  }

  BackgroundPace(
      DeviceActivity activity, Cancellation cancellation, Clocks clocks, LongConsumer rest) {
    this.activity = activity;
    this.cancellation = cancellation;
    this.clocks = clocks;
    this.rest = rest;
    stepsSeen = activity.stepsBegun();
    seenNanos = clocks.now() - PRESENCE_NANOS;
    workedNanos = clocks.worked();
  }

  /** The pace of a step's work on this thread. */
  static BackgroundPace here(DeviceActivity activity, Cancellation cancellation) {
    return new BackgroundPace(
        activity,
        cancellation,
        new SystemClocks(ManagementFactory.getThreadMXBean()),
        LockSupport::parkNanos);
  }

  @Override
  public void run() {
    cancellation
        .reason()
        .ifPresent(
            reason -> {
              throw reason;
            });
    long worked = clocks.worked() - workedNanos;
    if (hasCompany()) {
      rest.accept(Math.min(LONGEST_REST_NANOS, worked * SHARE));
    }
    workedNanos = clocks.worked();
  }

  private boolean hasCompany() {
    long now = clocks.now();
    long steps = activity.stepsBegun();
    if (steps != stepsSeen) {
      stepsSeen = steps;
      seenNanos = now;
    }
    return now - seenNanos < PRESENCE_NANOS;
  }

  private record SystemClocks(ThreadMXBean threads) implements Clocks {
    @Override
    public long now() {
      return System.nanoTime();
    }

    @Override
    public long worked() {
      return threads.getCurrentThreadCpuTime();
    }
  }
}
