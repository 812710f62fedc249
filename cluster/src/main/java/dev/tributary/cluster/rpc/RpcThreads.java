package dev.tributary.cluster.rpc;

import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of one server or of one set of channels: a few that move bytes ({@code
 * tributary-rpc-io}), and a bounded number that decode messages and call the task ({@code
 * tributary-rpc}). They start when they are needed. Owned by the server or the channels, which
 * close it last. Safe for use by many threads.
 */
final class RpcThreads implements AutoCloseable {
  private static final int CORES = Runtime.getRuntime().availableProcessors();
  private static final int IO_THREADS = Math.min(4, CORES);
  private static final int CALL_THREADS = Math.max(4, 2 * CORES);
  private static final long IDLE_SECONDS = 10;
  private static final long CLOSE_SECONDS = 5;

  private final EventLoopGroup io =
      new MultiThreadIoEventLoopGroup(
          IO_THREADS,
          new DefaultThreadFactory("tributary-rpc-io", true),
          NioIoHandler.newFactory());
  private final ThreadPoolExecutor calls =
      new ThreadPoolExecutor(
          CALL_THREADS,
          CALL_THREADS,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          new DefaultThreadFactory("tributary-rpc", true),
          // Once closed: what is left of a call still ends, on the thread that ended it.
          (task, pool) -> task.run());

  RpcThreads() {
    calls.allowCoreThreadTimeOut(true);
  }

  EventLoopGroup io() {
    return io;
  }

  Executor calls() {
    return calls;
  }

  /** Runs a task later; if this is closed before, then at once, so that nobody waits in vain. */
  void after(Duration delay, Runnable task) {
    if (io.isShuttingDown()) {
      task.run();
      return;
    }
    try {
      io.schedule(() -> calls.execute(task), delay.toNanos(), TimeUnit.NANOSECONDS)
          .addListener(
              scheduled -> {
                if (scheduled.isCancelled()) {
                  task.run();
                }
              });
    } catch (RejectedExecutionException e) {
      task.run();
    }
  }

  @Override
  public void close() {
    io.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    calls.shutdown();
    try {
      calls.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
