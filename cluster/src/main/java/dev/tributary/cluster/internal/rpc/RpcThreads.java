package dev.tributary.cluster.internal.rpc;

import dev.tributary.internal.time.ThreadTimer;
import dev.tributary.internal.time.Timer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
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

  /** The timer that this closes; empty if it is another's. */
  private final Optional<ThreadTimer> ownTimer;

  private final Timer timer;

  /** With a timer of their own. */
  RpcThreads() {
    this(new ThreadTimer(new DefaultThreadFactory("tributary-rpc-timer", true)));
  }

  private RpcThreads(ThreadTimer own) {
    this(own, Optional.of(own));
  }

  /** With a timer that outlives them. */
  RpcThreads(Timer timer) {
    this(timer, Optional.empty());
  }

  private RpcThreads(Timer timer, Optional<ThreadTimer> ownTimer) {
    this.timer = timer.on(calls);
    this.ownTimer = ownTimer;
    calls.allowCoreThreadTimeOut(true);
  }

  EventLoopGroup io() {
    return io;
  }

  Executor calls() {
    return calls;
  }

  /** Does things later, on the threads of calls. */
  Timer timer() {
    return timer;
  }

  @Override
  public void close() {
    io.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    ownTimer.ifPresent(own -> own.close(Duration.ofSeconds(CLOSE_SECONDS)));
    calls.shutdown();
    try {
      calls.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
