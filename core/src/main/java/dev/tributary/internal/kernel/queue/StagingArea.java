package dev.tributary.internal.kernel.queue;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.Resource;
import dev.tributary.internal.kernel.resource.AsyncMonitor;
import dev.tributary.internal.memory.ElementHeap;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tuples of tensors of any types, first in, first out. Guarded by its monitor. It owns its
 * elements, and releases them when it is dropped; calls that still wait then are cancelled.
 */
final class StagingArea implements Resource {
  private static final int PUTS = 0;
  private static final int GETS = 1;
  private static final int PEEKS = 2;

  private final String name;
  private final StagingLimits limits;
  private final AsyncMonitor monitor = new AsyncMonitor(3);
  private final List<QueueElement> elements = new ArrayList<>();

  /** The bytes of tensors. Changed under the monitor's lock, read without. */
  private final AtomicLong bytes = new AtomicLong();

  /** The heap that is counted for elements, likewise. */
  private final AtomicLong heapBytes = new AtomicLong();

  StagingArea(String name, StagingLimits limits) {
    this.name = name;
    this.limits = limits;
  }

  /** Adds the call's inputs when there is room. */
  void put(KernelContext call, AsyncKernel.Completion done) {
    List<Tensor> inputs = new ArrayList<>();
    for (int i = 0; i < call.inputCount(); i++) {
      inputs.add(call.input(i));
    }
    long size = limits.requireBytes(inputs);
    ElementHeap heap = ElementHeap.of(call.allocator().budget());
    monitor.submit(
        PUTS,
        new TupleAttempt(
            "Stage",
            call,
            done,
            () -> {
              if (!limits.hasRoom(elements.size(), bytes.get(), size)) {
                return Optional.empty();
              }
              // Inputs stay valid until the call ends; the element has references of its own.
              List<Tensor> own = inputs.stream().map(Tensor::retain).toList();
              QueueElement element = QueueElement.of(0, own, heap, this);
              elements.add(element);
              bytes.addAndGet(size);
              heapBytes.addAndGet(element.heapBytes());
              return Optional.of(List.of());
            }));
  }

  /** Gives the first element when there is one. */
  void get(KernelContext call, AsyncKernel.Completion done, int outputs) {
    monitor.submit(
        GETS,
        new TupleAttempt(
            "Unstage",
            call,
            done,
            () -> {
              if (elements.isEmpty()) {
                return Optional.empty();
              }
              requireCount(elements.get(0), outputs);
              QueueElement element = elements.remove(0);
              heapBytes.addAndGet(-element.heapBytes());
              List<Tensor> taken = element.handOver();
              bytes.addAndGet(-sizeOf(taken));
              return Optional.of(taken);
            }));
  }

  /** Gives the element with this index, and leaves it there, when there are that many. */
  void peek(KernelContext call, AsyncKernel.Completion done, int index, int outputs) {
    if (index < 0) {
      throw TributaryException.invalidArgument("index must be 0 or more, got %d", index);
    }
    monitor.submit(
        PEEKS,
        new TupleAttempt(
            "StagePeek",
            call,
            done,
            () -> {
              if (elements.size() <= index) {
                return Optional.empty();
              }
              requireCount(elements.get(index), outputs);
              return Optional.of(
                  elements.get(index).components().stream().map(Tensor::retain).toList());
            }));
  }

  int size() {
    return monitor.read(elements::size);
  }

  void clear() {
    monitor.change(this::releaseAll);
  }

  @Override
  public String kind() {
    return "staging areas";
  }

  @Override
  public long heldBytes() {
    return bytes.get() + heapBytes.get();
  }

  @Override
  public void close() {
    monitor.drop(
        TributaryException.cancelled("%s was dropped with its container", this), this::releaseAll);
  }

  @Override
  public String toString() {
    return "staging area '" + name + "'";
  }

  private void releaseAll() {
    elements.forEach(QueueElement::close);
    elements.clear();
    bytes.set(0);
    heapBytes.set(0);
  }

  private void requireCount(QueueElement element, int outputs) {
    if (element.components().size() != outputs) {
      throw TributaryException.invalidArgument(
          "Mismatch stage/unstage: staging area '%s' has %d tensors, the op wants %d",
          name, element.components().size(), outputs);
    }
  }

  private static long sizeOf(List<Tensor> element) {
    return element.stream().mapToLong(Tensor::byteSize).sum();
  }
}
