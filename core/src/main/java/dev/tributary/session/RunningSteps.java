package dev.tributary.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.kernel.Cancellation;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The steps of a session that have begun and not ended, and whether more may begin. For those who
 * write sessions. Guarded by its own monitor.
 */
public final class RunningSteps {
  private final Set<Cancellation> running = new HashSet<>();
  private boolean closed;

  /** Lets a step begin, unless the session is closed. Every step that begins must {@link #end}. */
  public synchronized Cancellation begin() {
    if (closed) {
      throw sessionClosed();
    }
    Cancellation step = new Cancellation();
    running.add(step);
    return step;
  }

  public synchronized void end(Cancellation step) {
    running.remove(step);
    if (running.isEmpty()) {
      notifyAll();
    }
  }

  /** Lets no step begin any more, and cancels those that have. */
  public void close() {
    List<Cancellation> toCancel;
    synchronized (this) {
      closed = true;
      toCancel = List.copyOf(running);
    }
    toCancel.forEach(step -> step.cancel(sessionClosed()));
  }

  /** Waits for the last step to end; returns how many are left when the time is over. */
  public synchronized int awaitNone(Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    boolean interrupted = false;
    while (!running.isEmpty() && !interrupted) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        break;
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return running.size();
  }

  private static TributaryException sessionClosed() {
    return new TributaryException(
        ErrorCode.CANCELLED, "the session is closed: open another one on the same graph");
  }
}
