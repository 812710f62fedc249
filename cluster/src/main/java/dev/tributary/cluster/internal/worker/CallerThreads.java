package dev.tributary.cluster.internal.worker;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Runs tasks on the thread of the call that they come from, once the call itself is done and holds
 * no locks; those that come from elsewhere, on a pool. Safe for use by many threads.
 */
final class CallerThreads implements Executor {
  private final Executor pool;

  /** What the calls of a thread have left to do; none outside of calls. */
  private final ThreadLocal<Queue<Runnable>> left = new ThreadLocal<>();

  CallerThreads(Executor pool) {
    this.pool = pool;
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
}
