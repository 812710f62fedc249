package dev.tributary.internal.kernel.queue;

import dev.tributary.internal.kernel.random.WordSource;
import java.util.ArrayList;
import java.util.List;

/** Any element may be the next one: TensorFlow's choice for the same seeds. */
final class ShuffledOrder implements ElementOrder {
  private final List<QueueElement> elements = new ArrayList<>();
  private final WordSource random;

  ShuffledOrder(WordSource random) {
    this.random = random;
  }

  @Override
  public void add(QueueElement element) {
    elements.add(element);
  }

  @Override
  public QueueElement take() {
    int chosen = Integer.remainderUnsigned(random.next(), elements.size());
    QueueElement last = elements.remove(elements.size() - 1);
    return chosen == elements.size() ? last : elements.set(chosen, last);
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
