package dev.tributary.internal.kernel.queue;

import java.util.ArrayDeque;
import java.util.Deque;

/** The elements of a queue, in the order in which they come out. Guarded by the queue's monitor. */
interface ElementOrder {
  void add(QueueElement element);

  /** Takes the next one; there must be one. */
  QueueElement take();

  /** Puts one back that was taken; several, the one that was taken last first. */
  void putBack(QueueElement element);

  int size();

  /** First in, first out. */
  static ElementOrder fifo() {
    return new ElementOrder() {
      private final Deque<QueueElement> elements = new ArrayDeque<>();

      @Override
      public void add(QueueElement element) {
        elements.addLast(element);
      }

      @Override
      public QueueElement take() {
        return elements.removeFirst();
      }

      @Override
      public void putBack(QueueElement element) {
        elements.addFirst(element);
      }

      @Override
      public int size() {
        return elements.size();
      }
    };
  }
}
