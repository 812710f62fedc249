package dev.tributary.cluster.internal.worker;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where the nodes of one registered graph run. As long as nothing of it takes long, that is the
 * thread which brings the step or a value for it: to wake another thread would take longer. Else it
 * is the pool, so that whoever brings something can go on. Safe for use by many threads.
 */
final class GraphThreads implements Executor {
  /** A graph has to show that it is brief. */
  private static final long UNKNOWN_NANOS = Duration.ofSeconds(1).toNanos();

  /** How soon a long task is forgotten: each later one takes off this part. */
  private static final int FADING = 8;

  private final Executor pool;
  private final CallerThreads callers;
  private final long briefNanos;

  /** What the longest of the latest tasks took. */
  private final AtomicLong longestNanos = new AtomicLong(UNKNOWN_NANOS);

  /**
   * @param brief what a task may take on a caller's thread; nothing if none is to run there
   */
  GraphThreads(Executor pool, CallerThreads callers, Duration brief) {
    this.pool = pool;
    this.callers = callers;
    this.briefNanos = brief.toNanos();
  }

  @Override
  public void execute(Runnable task) {
    if (briefNanos == 0) {
      pool.execute(task);
    } else {
      (longestNanos.get() < briefNanos ? callers : pool).execute(() -> measured(task));
    }
  }

  private void measured(Runnable task) {
    long start = System.nanoTime();
    try {
      task.run();
    } finally {
      long nanos = System.nanoTime() - start;
      longestNanos.updateAndGet(longest -> Math.max(nanos, longest - longest / FADING));
    }
  }
}
