package dev.tributary.cluster.rpc;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
  static {
    NettySettings.apply();
  }

  private static final int CORES = Runtime.getRuntime().availableProcessors();
  private static final int IO_THREADS = Math.min(4, CORES);
  private static final int CALL_THREADS = Math.max(4, 2 * CORES);
  private static final long IDLE_SECONDS = 10;
  private static final long CLOSE_SECONDS = 5;

  /** Netty 4.2 deprecates this class for one that 4.1, which older gRPC versions use, lacks. */
  @SuppressWarnings("deprecation")
  private final EventLoopGroup io =
      new NioEventLoopGroup(IO_THREADS, new DefaultThreadFactory("tributary-rpc-io", true));

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

  private final Set<Postponed> postponed = ConcurrentHashMap.newKeySet();

  RpcThreads() {
    calls.allowCoreThreadTimeOut(true);
  }

  EventLoopGroup io() {
    return io;
  }

  Executor calls() {
    return calls;
  }

  /**
   * Runs a task later; if this is closed before, then at once, so that no caller waits for ever.
   */
  void after(Duration delay, Runnable task) {
    final Postponed once = new Postponed(task);
    postponed.add(once);
    if (io.isShuttingDown()) {
      once.run();
      return;
    }
    try {
      io.schedule(() -> calls.execute(once), delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      once.run();
    }
  }

  @Override
  public void close() {
    io.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    postponed.forEach(Postponed::run);
    calls.shutdown();
    try {
      calls.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A task that runs once: when it is due, or when the threads are closed. */
  private final class Postponed implements Runnable {
    private final Runnable task;

    Postponed(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      if (postponed.remove(this)) {
        task.run();
      }
    }
  }
}
