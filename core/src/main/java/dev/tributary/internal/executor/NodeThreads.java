package dev.tributary.internal.executor;

import dev.tributary.internal.time.ThreadTimer;
import dev.tributary.internal.time.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of a session or a task: those that run nodes, those that prepare graphs, and one that
 * keeps time. They begin when they are needed. All are daemons. Safe for use by many threads.
 */
public final class NodeThreads {
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final ThreadPoolExecutor pool;
  private final ThreadPoolExecutor graphs;
  private final ThreadTimer timer;

  /** Makes threads whose names begin with {@code role}. */
  public NodeThreads(String role, int interOpThreads) {
    pool = pool(interOpThreads, role + "-inter-op-");
    graphs = pool(interOpThreads, role + "-graphs-");
    timer = new ThreadTimer(named(role + "-timer-"));
  }

  /** Runs nodes; no task on it blocks. */
  public java.util.concurrent.Executor pool() {
    return pool;
  }

  /**
   * Reads, places and cuts graphs, which takes seconds for the largest ones; steps do not wait for
   * that.
   */
  public java.util.concurrent.Executor graphs() {
    return graphs;
  }

  /** Runs short tasks later; closed with the threads. */
  public Timer timer() {
    return timer;
  }

  /**
   * Lets no work begin any more and waits a while for what runs. Work that is queued still runs, so
   * that steps can end.
   */
  public void close(Duration limit) {
    timer.close();
    graphs.shutdown();
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

  private ThreadPoolExecutor pool(int size, String prefix) {
    return new ThreadPoolExecutor(
        size, size, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named(prefix));
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
