package dev.tributary.cluster.stream;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/**
 * Answers on their way to the thread that writes them. Closing it releases what is left, and what
 * comes later. Guarded by its own monitor.
 */
final class AnswerQueue implements AutoCloseable {
  private final Queue<Answer> waiting = new ArrayDeque<>();
  private boolean closed;

  /** Takes over the answer. */
  void add(Answer answer) {
    if (!offer(answer)) {
      answer.release();
    }
  }

  private synchronized boolean offer(Answer answer) {
    if (!closed) {
      waiting.add(answer);
      notifyAll();
    }
    return !closed;
  }

  /**
   * Waits for the next answer, for as long as the connection lives, which ends this by closing;
   * empty then.
   */
  synchronized Optional<Answer> take() {
    try {
      while (waiting.isEmpty() && !closed) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
    return Optional.ofNullable(waiting.poll());
  }

  @Override
  public void close() {
    List<Answer> left;
    synchronized (this) {
      closed = true;
      left = List.copyOf(waiting);
      waiting.clear();
      notifyAll();
    }
    left.forEach(Answer::release);
  }
}
