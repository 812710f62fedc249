package dev.tributary.internal.kernel.queue;

import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.Tensor;
import java.util.List;

/**
 * One element of a queue: a tensor for each component. It owns them.
 *
 * @param arrival the place in the order in which the elements came
 */
record QueueElement(long arrival, List<Tensor> components) implements AutoCloseable {
  QueueElement {
    components = List.copyOf(components);
  }

  long bytes() {
    long bytes = 0;
    for (Tensor component : components) {
      bytes += SharedTensors.countedBytes(component);
    }
    return bytes;
  }

  @Override
  public void close() {
    components.forEach(Tensor::close);
  }
}
