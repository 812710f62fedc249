package dev.tributary.internal.kernel.data;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.internal.memory.ElementHeap;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/**
 * The elements of a dataset that the first complete pass of a pipeline has kept for the others. The
 * heap for them is counted by who fills it. Guarded by its own monitor.
 */
final class MemoryCache implements AutoCloseable {
  private final ElementHeap heap;

  @GuardedBy("this")
  private Optional<List<Tensor[]>> elements = Optional.empty();

  @GuardedBy("this")
  private boolean closed;

  MemoryCache(ElementHeap heap) {
    this.heap = heap;
  }

  /** The elements, if a pass was complete; they stay until the pipeline ends. */
  synchronized Optional<List<Tensor[]>> elements() {
    return elements;
  }

  /** Takes over the elements of a complete pass. Those of the first one stay. */
  void fill(List<Tensor[]> all) {
    synchronized (this) {
      if (elements.isEmpty() && !closed) {
        elements = Optional.of(List.copyOf(all));
        return;
      }
    }
    drop(all);
  }

  @Override
  public void close() {
    Optional<List<Tensor[]>> held;
    synchronized (this) {
      closed = true;
      held = elements;
      elements = Optional.empty();
    }
    held.ifPresent(this::drop);
  }

  private void drop(List<Tensor[]> all) {
    for (Tensor[] element : all) {
      heap.giveBack(ElementHeap.ofElement(element.length));
      Elements.close(element);
    }
  }
}
