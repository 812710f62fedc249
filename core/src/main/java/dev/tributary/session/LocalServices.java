package dev.tributary.session;

import dev.tributary.executor.Executor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of a local session: those that run nodes, and one that ends steps whose time is over.
 * All are daemons.
 */
final class LocalServices {
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final ThreadPoolExecutor pool;
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1, named("tributary-deadline-"));
  private final Executor executor;

  LocalServices(int interOpThreads, boolean fixedOrder) {
    pool =
        new ThreadPoolExecutor(
            interOpThreads,
            interOpThreads,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            named("tributary-inter-op-"));
    executor = new Executor(pool, fixedOrder);
    // A step that ends in time must not be held in memory until its deadline.
    timer.setRemoveOnCancelPolicy(true);
  }

  Executor executor() {
    return executor;
  }

  /** Runs a task when a step's time is over, unless the future is cancelled first. */
  Future<?> after(Duration limit, Runnable task) {
    try {
      return timer.schedule(task, limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.completedFuture(
          null); // The session was closed, and the step cancelled with it.
    }
  }

  /**
   * Lets no work begin any more and waits a while for what runs. Work that is queued still runs, so
   * that steps can end.
   */
  void close(Duration limit) {
    timer.shutdownNow();
    pool.shutdown();
    long deadline = System.nanoTime() + limit.toNanos();
    try {
      // Pools count as terminated while their last thread still ends, so the threads are awaited.
      for (Thread thread : threads) {
        TimeUnit.NANOSECONDS.timedJoin(thread, deadline - System.nanoTime());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private ThreadFactory named(String prefix) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, prefix + number.getAndIncrement());
      thread.setDaemon(true);
      threads.add(thread);
      return thread;
    };
  }
}
