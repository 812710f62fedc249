package dev.tributary.internal.kernel.queue;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * The smallest priority, which is the first component, comes out first; among equal ones, the one
 * that came first.
 */
final class PriorityOrder implements ElementOrder {
  private final PriorityQueue<QueueElement> elements =
      new PriorityQueue<>(
          Comparator.comparingLong((QueueElement e) -> e.components().get(0).longValue())
              .thenComparingLong(QueueElement::arrival));

  @Override
  public void add(QueueElement element) {
    elements.add(element);
  }

  @Override
  public QueueElement take() {
    return elements.remove();
  }

  @Override
  public void putBack(QueueElement element) {
    elements.add(element);
  }

  @Override
  public int size() {
    return elements.size();
  }
}
