package dev.tributary.internal.kernel.queue;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Resource;
import dev.tributary.internal.kernel.resource.AsyncMonitor;
import dev.tributary.internal.kernel.resource.Attempt;
import dev.tributary.internal.memory.ElementHeap;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A queue of tuples of tensors with a limited capacity. Enqueues that find no room and dequeues
 * that find too few elements wait as attempts, each kind in its order; so does closing, behind the
 * enqueues that came before it. Guarded by its monitor. It owns its elements, and releases them
 * when it is dropped; calls that still wait then are cancelled.
 */
final class TensorQueue implements Resource {
  private static final int ENQUEUES = 0;
  private static final int DEQUEUES = 1;

  private final String name;
  private final QueueSpec spec;
  private final AsyncMonitor monitor = new AsyncMonitor(2);
  private final ElementOrder elements;
  private long arrivals;
  private boolean closed;

  /** Changed under the monitor's lock, read without. */
  private final AtomicLong bytes = new AtomicLong();

  TensorQueue(String name, QueueSpec spec) {
    this.name = name;
    this.spec = spec;
    this.elements = spec.kind().newOrder(spec);
  }

  QueueSpec spec() {
    return spec;
  }

  int size() {
    return monitor.read(elements::size);
  }

  boolean isClosed() {
    return monitor.read(() -> closed);
  }

  void enqueue(Attempt attempt) {
    monitor.submit(ENQUEUES, attempt);
  }

  void dequeue(Attempt attempt) {
    monitor.submit(DEQUEUES, attempt);
  }

  /** Refuses further elements, and ends the enqueues that wait. */
  void closeAndCancelEnqueues() {
    monitor.change(
        () -> {
          closed = true;
          monitor.failAll(
              ENQUEUES, () -> TributaryException.cancelled("Enqueue operation was cancelled"));
        });
  }

  @Override
  public String kind() {
    return "queues";
  }

  @Override
  public long heldBytes() {
    return bytes.get();
  }

  @Override
  public void close() {
    monitor.drop(
        TributaryException.cancelled("%s was dropped with its container", this),
        () -> {
          while (elements.size() > 0) {
            take().close();
          }
        });
  }

  @Override
  public String toString() {
    return spec.kind().opName() + " '" + name + "'";
  }

  // ---- for attempts, under the monitor's lock ----

  void closeWhenReached() {
    if (closed) {
      throw TributaryException.cancelled("%s is already closed.", this);
    }
    closed = true;
  }

  boolean hasRoom() {
    return elements.size() < spec.capacity();
  }

  /** Takes over the tensors' references, also if it fails since there is no heap for them. */
  void add(List<Tensor> components, ElementHeap heap) {
    QueueElement element = QueueElement.of(arrivals, components, heap, this);
    arrivals++;
    elements.add(element);
    bytes.addAndGet(element.bytes());
  }

  /** Returns how many elements a dequeue may take now. */
  int takeable() {
    return Math.max(0, elements.size() - (closed ? 0 : spec.minAfterDequeue()));
  }

  QueueElement take() {
    QueueElement element = elements.take();
    bytes.addAndGet(-element.bytes());
    return element;
  }

  void putBack(QueueElement element) {
    elements.putBack(element);
    bytes.addAndGet(element.bytes());
  }
}
