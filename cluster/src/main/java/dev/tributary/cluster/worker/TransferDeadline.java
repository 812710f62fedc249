package dev.tributary.cluster.worker;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends transfers that take too long. It looks at all of them now and then, for as long as there are
 * steps, since an alarm for each would cost more than most transfers do. Safe for use by many
 * threads.
 */
final class TransferDeadline {
  private static final int LOOKS_IN_LIMIT = 10;

  private final StepTable steps;
  private final ScheduledExecutorService timer;
  private final Duration limit;
  private final AtomicBoolean looking = new AtomicBoolean();

  TransferDeadline(StepTable steps, ScheduledExecutorService timer, Duration limit) {
    this.steps = steps;
    this.timer = timer;
    this.limit = limit;
  }

  /** Looks after the steps that there are, until there are none. */
  void watch() {
    if (!looking.get() && looking.compareAndSet(false, true)) {
      lookLater();
    }
  }

  private void lookLater() {
    try {
      timer.schedule(this::look, limit.toNanos() / LOOKS_IN_LIMIT, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // The server stops, and ends all steps itself.
    }
  }

  private void look() {
    steps.expire(limit, LOOKS_IN_LIMIT);
    if (steps.size() > 0) {
      lookLater();
      return;
    }
    looking.set(false);
    if (steps.size() > 0) {
      watch(); // It came between the two looks.
    }
  }
}
