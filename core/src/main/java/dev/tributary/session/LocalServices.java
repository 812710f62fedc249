package dev.tributary.session;

import dev.tributary.internal.executor.Executor;
import dev.tributary.internal.executor.NodeThreads;
import dev.tributary.internal.time.Timer;
import java.time.Duration;

/** The threads that run the nodes of a local session, and the timer of its steps. */
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

  /** Ends steps whose time is over. */
  Timer timer() {
    return threads.timer();
  }

  /** See {@link NodeThreads#close}. */
  void close(Duration limit) {
    threads.close(limit);
  }
}
