package dev.tributary.cluster.stream;

/** The threads of streams: they wait for one channel or one queue each, and end with it. */
final class StreamThreads {
  private StreamThreads() {}

  static void start(String role, Runnable task) {
    Thread thread = new Thread(task, "tributary-stream-" + role);
    thread.setDaemon(true);
    thread.start();
  }
}
