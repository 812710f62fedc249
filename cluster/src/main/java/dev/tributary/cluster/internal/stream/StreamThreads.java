package dev.tributary.cluster.internal.stream;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads of streams: they wait for one channel each. All are daemons. */
final class StreamThreads {
  private static final long IDLE_SECONDS = 5;

  /** As many as there are outputs at a time whose other side is slow; each ends when it is idle. */
  private static final Executor WRITERS =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          task -> thread("output", task));

  private StreamThreads() {}

  /** Starts a thread that ends with its channel. */
  static void start(String role, Runnable task) {
    thread(role, task).start();
  }

  static Executor writer() {
    return WRITERS;
  }

  private static Thread thread(String role, Runnable task) {
    Thread thread = new Thread(task, "tributary-stream-" + role);
    thread.setDaemon(true);
    return thread;
  }
}
