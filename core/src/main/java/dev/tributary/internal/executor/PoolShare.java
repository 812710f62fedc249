package dev.tributary.internal.executor;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The part that one session has in a pool of threads. Its tasks wait in a line of their own, and
 * only as many of them as there are threads stand in the line of the pool: a session may use all
 * threads that nobody else wants, but however many tasks it has, those of another session wait for
 * a few of them only. Tasks must be short; see {@link TimeSlice}. Safe for use by many threads.
 */
public final class PoolShare implements Executor {
  private final Executor pool;
  private final int threads;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  /** Turns that wait in the line of the pool, or run. */
  private final AtomicInteger turns = new AtomicInteger();

  private final Runnable turn = this::takeTurn;

  /**
   * @param threads how many the pool has
   */
  public PoolShare(Executor pool, int threads) {
    this.pool = pool;
    this.threads = threads;
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    standInLine();
  }

  private void standInLine() {
    int before = turns.get();
    while (before < threads) {
      if (turns.compareAndSet(before, before + 1)) {
        try {
          pool.execute(turn);
        } catch (RejectedExecutionException e) {
          // The pool was closed and all steps were cancelled; what is left of them ends here.
          runAll();
        }
        return;
      }
      before = turns.get();
    }
  }

  private void takeTurn() {
    Runnable task = tasks.poll();
    try {
      if (task != null) {
        task.run();
      }
    } finally {
      endTurn();
    }
  }

  private void runAll() {
    try {
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
      }
    } finally {
      endTurn();
    }
  }

  /** Looks for tasks only when the turn no longer counts, lest one be left that came meanwhile. */
  private void endTurn() {
    turns.decrementAndGet();
    if (!tasks.isEmpty()) {
      standInLine();
    }
  }
}
