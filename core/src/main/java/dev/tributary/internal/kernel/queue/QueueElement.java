package dev.tributary.internal.kernel.queue;

import dev.tributary.internal.memory.ElementHeap;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.Tensor;
import java.util.List;

/**
 * One element of a queue: a tensor for each component, and the heap that is counted for them. It
 * owns both.
 *
 * @param arrival the place in the order in which the elements came
 */
record QueueElement(long arrival, List<Tensor> components, ElementHeap heap, long heapBytes)
    implements AutoCloseable {
  QueueElement {
    components = List.copyOf(components);
  }

  /**
   * An element that takes its heap, and the references of its components also if there is none.
   *
   * @param queue errors name it
   */
  static QueueElement of(long arrival, List<Tensor> components, ElementHeap heap, Object queue) {
    long bytes = ElementHeap.ofElement(components.size());
    try {
      heap.take(bytes, "an element of " + queue);
    } catch (RuntimeException e) {
      components.forEach(Tensor::close);
      throw e;
    }
    return new QueueElement(arrival, components, heap, bytes);
  }

  long bytes() {
    long bytes = heapBytes;
    for (Tensor component : components) {
      bytes += SharedTensors.countedBytes(component);
    }
    return bytes;
  }

  /** The components, whose references go to the caller; to be called instead of closing it. */
  List<Tensor> handOver() {
    heap.giveBack(heapBytes);
    return components;
  }

  @Override
  public void close() {
    handOver().forEach(Tensor::close);
  }
}
