package dev.tributary.session;

import dev.tributary.executor.Executor;
import dev.tributary.executor.NodeThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** What runs the nodes of a local session, and ends steps whose time is over. */
final class LocalServices {
  private final NodeThreads threads;
  private final Executor executor;

  LocalServices(int interOpThreads, boolean fixedOrder) {
    threads = new NodeThreads("tributary", interOpThreads);
    executor = new Executor(threads.pool(), fixedOrder);
  }

  Executor executor() {
    return executor;
  }

  /** Runs a task when a step's time is over, unless the future is cancelled first. */
  Future<?> after(Duration limit, Runnable task) {
    try {
      return threads.timer().schedule(task, limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.completedFuture(
          null); // The session was closed, and the step cancelled with it.
    }
  }

  /** See {@link NodeThreads#close}. */
  void close(Duration limit) {
    threads.close(limit);
  }
}
