package dev.tributary.internal.kernel.data;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs an action as often as it was asked for, one run at a time and never inside of itself: a loop
 * in which each round is started by a callback takes no stack. A loop that takes long goes to the
 * end of the queue of a pool after a while, so that it keeps no thread from the steps of others.
 * Safe for use by many threads.
 */
final class Turns {
  /** As long as a step may keep a thread of the pool. */
  private static final long SLICE_NANOS = 5_000_000;

  /** Rounds before the clock is looked at: a stage that passes elements on takes two. */
  private static final int FREE_ROUNDS = 4;

  private final AtomicInteger open = new AtomicInteger();
  private final Executor pool;
  private final Runnable action;

  /** For actions that ask for so little that they are never many. */
  Turns(Runnable action) {
    this(Runnable::run, action);
  }

  /**
   * @param pool continues loops that take long
   */
  Turns(Executor pool, Runnable action) {
    this.pool = pool;
    this.action = action;
  }

  void take() {
    if (open.getAndIncrement() == 0) {
      run();
    }
  }

  private void run() {
    long start = 0;
    for (int round = 0; ; round++) {
      action.run();
      if (open.decrementAndGet() == 0) {
        return;
      }
      if (round == FREE_ROUNDS) {
        start = System.nanoTime();
      } else if (round > FREE_ROUNDS && System.nanoTime() - start > SLICE_NANOS) {
        pool.execute(this::run);
        return;
      }
    }
  }
}
