package dev.tributary.cluster.internal.worker;

import dev.tributary.internal.executor.StepThreads;
import dev.tributary.internal.time.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Runs tasks on the thread of the call that they come from, once the call itself is done and holds
 * no locks; those that come from elsewhere, on a pool. Safe for use by many threads.
 */
final class CallerThreads implements Executor {
  /** A graph has to show that it is brief. */
  private static final long UNKNOWN_NANOS = Duration.ofSeconds(1).toNanos();

  /** The part of the longest time that each later task takes off. */
  private static final int FADING = 8;

  private final Executor pool;
  private final Ticker ticker;

  /** The tasks that the calls of a thread have left to run; none outside of calls. */
  private final ThreadLocal<Queue<Runnable>> left = new ThreadLocal<>();

  CallerThreads(Executor pool, Ticker ticker) {
    this.pool = pool;
    this.ticker = ticker;
  }

  /** Makes a call, and then does what it has left to do. A call inside a call leaves it to that. */
  <T> T during(Supplier<T> call) {
    if (left.get() != null) {
      return call.get();
    }
    Queue<Runnable> tasks = new ArrayDeque<>();
    left.set(tasks);
    try {
      return call.get();
    } finally {
      finish(tasks);
    }
  }

  /** The same for what has no result. */
  void during(Runnable call) {
    during(
        () -> {
          call.run();
          return null;
        });
  }

  private void finish(Queue<Runnable> tasks) {
    try {
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
      }
    } finally {
      left.remove();
      tasks.forEach(pool::execute); // Only if one of them failed.
    }
  }

  @Override
  public void execute(Runnable task) {
    Queue<Runnable> tasks = left.get();
    if (tasks != null) {
      tasks.add(task);
    } else {
      pool.execute(task);
    }
  }

  /**
   * Returns the threads for the nodes of one registered graph. As long as no task of the graph
   * takes long, they run on the thread that brings the step or a value for it, since waking another
   * thread would take longer; else on the pool, so that the calling thread is free again.
   *
   * @param graphPool runs the tasks that are not brief
   * @param brief the longest time of a task on a caller's thread; zero to run none there
   */
  Executor forGraph(Executor graphPool, Duration brief) {
    return new GraphThreads(graphPool, brief);
  }

  /** The threads of one graph. */
  private final class GraphThreads implements StepThreads {
    private final Executor graphPool;
    private final long briefNanos;

    /** The time of the longest of the latest tasks. */
    private final AtomicLong longestNanos = new AtomicLong(UNKNOWN_NANOS);

    GraphThreads(Executor graphPool, Duration brief) {
      this.graphPool = graphPool;
      this.briefNanos = brief.toNanos();
    }

    @Override
    public void execute(Runnable task) {
      if (briefNanos == 0) {
        graphPool.execute(task);
      } else {
        (longestNanos.get() < briefNanos ? CallerThreads.this : graphPool)
            .execute(() -> measured(task));
      }
    }

    @Override
    public boolean isLent() {
      return left.get() != null;
    }

    @Override
    public void executeElsewhere(Runnable task) {
      graphPool.execute(() -> measured(task));
    }

    private void measured(Runnable task) {
      long start = ticker.nanos();
      try {
        task.run();
      } finally {
        long nanos = ticker.nanos() - start;
        longestNanos.updateAndGet(longest -> Math.max(nanos, longest - longest / FADING));
      }
    }
  }
}
