package dev.tributary.cluster.server;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shutdown of a server: the part that was started last ends first, and one that fails does not
 * keep the others. Confined to one thread at a time.
 */
final class Shutdown implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);

  private record Part(String name, Runnable end) {}

  private final Deque<Part> parts = new ArrayDeque<>();
  private volatile String current = "nothing";

  void add(String name, Runnable end) {
    parts.push(new Part(name, end));
  }

  /** The part that is being ended; safe to call from any thread. */
  String current() {
    return current;
  }

  @Override
  public void run() {
    while (!parts.isEmpty()) {
      Part part = parts.pop();
      current = part.name();
      try {
        part.end().run();
      } catch (RuntimeException e) {
        LOG.warn("stopping: {} did not end cleanly", part.name(), e);
      }
    }
  }
}
