package dev.tributary.internal.kernel;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The number of steps that have begun on a device, so that long work can see whether others run
 * beside it, and the number of pieces of work that belong to no step, such as reading ahead. Safe
 * for use by many threads.
 */
public final class DeviceActivity {
  private final LongAdder steps = new LongAdder();

  @GuardedBy("this")
  private long background;

  /** For the executor, once for each step. */
  public void stepBegins() {
    steps.increment();
  }

  public long stepsBegun() {
    return steps.sum();
  }

  /** For work of kernels that goes on after their call; it must {@link #backgroundEnds end}. */
  public synchronized void backgroundBegins() {
    background++;
  }

  public synchronized void backgroundEnds() {
    background--;
    if (background == 0) {
      notifyAll();
    }
  }

  /** Waits until no such work is under way; returns how much is left when the time is over. */
  public synchronized long awaitNoBackground(Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    try {
      for (long left = limit.toNanos();
          background > 0 && left > 0;
          left = deadline - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return background;
  }
}
