package dev.tributary.internal.time;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A timer with a thread of its own, which starts with the first task. Safe for use by many threads.
 */
public final class ThreadTimer implements Timer, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ThreadTimer.class);

  private static final Timer SHARED =
      new ThreadTimer(ThreadTimer::processThread)
          .on(new CompletableFuture<Void>().defaultExecutor());

  private final ScheduledThreadPoolExecutor thread;
  private final Set<Task> pending = ConcurrentHashMap.newKeySet();

  public ThreadTimer(ThreadFactory factory) {
    thread = new ScheduledThreadPoolExecutor(1, factory);
    // What is done in time must not be held in memory until its deadline.
    thread.setRemoveOnCancelPolicy(true);
  }

  /**
   * The timer of this process, for work that no session and no server owns. It is never closed; its
   * tasks run where asynchronous tasks of the JDK do.
   */
  public static Timer shared() {
    return SHARED;
  }

  /** A daemon that keeps no thread-locals of whoever happens to start it. */
  private static Thread processThread(Runnable task) {
    Thread thread = new Thread(null, task, "tributary process timer", 0, false);
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  @Override
  public Alarm after(Duration delay, Runnable task) {
    Task later = new Task(task);
    pending.add(later);
    try {
      later.scheduled = thread.schedule(later, delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      later.run();
    }
    return later;
  }

  @Override
  public boolean isClosed() {
    return thread.isShutdown();
  }

  /** Runs what is left, on this thread. */
  @Override
  public void close() {
    thread.shutdownNow();
    pending.forEach(ThreadTimer::runLast);
  }

  /** One that fails must not keep others from running. */
  private static void runLast(Task task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      LOG.warn("a task failed that ran when its timer was closed", e);
    }
  }

  /** Closes and waits for the thread to end. */
  public void close(Duration limit) {
    close();
    try {
      thread.awaitTermination(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Runs once at most: when it is due, or when the timer is closed. */
  private final class Task implements Runnable, Alarm {
    private final Runnable task;

    /** Written before anybody else can cancel; null if the timer was closed. */
    private Future<?> scheduled;

    Task(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      if (pending.remove(this)) {
        task.run();
      }
    }

    @Override
    public void cancel() {
      if (pending.remove(this)) {
        scheduled.cancel(false);
      }
    }
  }
}
