package dev.tributary.internal.kernel.queue;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Resource;
import dev.tributary.internal.kernel.resource.AsyncMonitor;
import dev.tributary.internal.kernel.resource.Attempt;
import dev.tributary.internal.memory.ElementHeap;
import dev.tributary.internal.memory.MemoryBudget;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tuples of tensors by key, whose components come one by one. Tuples that have all of them are
 * ready and come out in the order in which their keys first came; each gets the number of the call
 * that brought its key. Guarded by its monitor. It owns its tensors, and releases them when it is
 * dropped; calls that still wait then are cancelled.
 */
final class Barrier implements Resource {
  private static final int TAKES = 0;

  /** A row with its places in the maps of keys and components. */
  private static final long ROW_HEAP = 2 * ElementHeap.ofElement(1);

  /** A tuple that still lacks components, with the number of the call that brought its key. */
  private record Partial(long number, Map<Integer, Tensor> components) {}

  private final String name;
  private final List<DataType> types;
  private final List<Shape> shapes;
  private final AsyncMonitor monitor = new AsyncMonitor(1);
  private final Map<ByteBuffer, Partial> incomplete = new LinkedHashMap<>();
  private final PriorityOrder ready = new PriorityOrder();
  private long nextNumber = Long.MIN_VALUE;
  private long arrivals;
  private boolean closed;
  private boolean cancelled;

  /** The heap of the device, which all calls are on. */
  private ElementHeap heap = ElementHeap.of(MemoryBudget.UNLIMITED);

  /** Changed under the monitor's lock, read without. */
  private final AtomicLong bytes = new AtomicLong();

  Barrier(String name, List<DataType> types, List<Shape> shapes) {
    this.name = name;
    this.types = List.copyOf(types);
    this.shapes = List.copyOf(shapes);
  }

  /** Fails unless a node that makes barriers like this may share it. */
  void requireFits(List<DataType> wantedTypes, List<Shape> wantedShapes) {
    if (!types.equals(wantedTypes) || !shapes.equals(wantedShapes)) {
      throw TributaryException.invalidArgument(
          "Shared barrier '%s' has components %s of shapes %s, but requested were %s of shapes %s",
          name, types, shapes, wantedTypes, wantedShapes);
    }
  }

  List<DataType> types() {
    return types;
  }

  List<Shape> shapes() {
    return shapes;
  }

  int readySize() {
    return monitor.read(ready::size);
  }

  int incompleteSize() {
    return monitor.read(incomplete::size);
  }

  /**
   * Adds one component of some tuples.
   *
   * @param rows one tensor for each key, whose references go over to the barrier unless this fails
   * @param device the memory of the barrier's device
   */
  void insert(List<ByteBuffer> keys, int component, List<Tensor> rows, MemoryBudget device) {
    monitor.change(
        () -> {
          requireOpen(keys);
          requireMissing(keys, component);
          heap = ElementHeap.of(device);
          heap.take(rows.size() * ROW_HEAP, "an element of barrier '" + name + "'");
          boolean hasNew = false;
          for (int i = 0; i < keys.size(); i++) {
            hasNew |= !incomplete.containsKey(keys.get(i));
            insert(keys.get(i), component, rows.get(i));
          }
          nextNumber += hasNew ? 1 : 0;
        });
  }

  void take(Attempt attempt) {
    monitor.submit(TAKES, attempt);
  }

  /** Refuses new keys and, if {@code cancels}, the missing components of others, too. */
  void closeForInserts(boolean cancels) {
    monitor.change(
        () -> {
          if (closed && (cancelled || !cancels)) {
            throw TributaryException.cancelled("Barrier '%s' is already closed.", name);
          }
          closed = true;
          cancelled = cancels;
          if (cancels) {
            releaseIncomplete();
          }
        });
  }

  @Override
  public String kind() {
    return "barriers";
  }

  @Override
  public long heldBytes() {
    return bytes.get();
  }

  @Override
  public void close() {
    monitor.drop(
        TributaryException.cancelled("barrier '%s' was dropped with its container", name),
        () -> {
          releaseIncomplete();
          while (ready.size() > 0) {
            takeReady(1).forEach(QueueElement::close);
          }
        });
  }

  // ---- for attempts, under the monitor's lock ----

  /** The number of {@code wanted} tuples that a call takes now; 0 if it waits for more. */
  int takeable(int wanted, boolean allowsFewer) {
    int deliverable = wanted;
    if (closed) {
      int available = ready.size();
      if (allowsFewer) {
        deliverable = Math.min(wanted, available);
      } else {
        available += incomplete.size();
      }
      if (available < Math.max(deliverable, 1)) {
        throw TributaryException.outOfRange(
            "Barrier '%s' is closed and has insufficient elements (requested %d, total size %d)",
            name, deliverable, available);
      }
    }
    return ready.size() >= deliverable ? deliverable : 0;
  }

  List<QueueElement> takeReady(int count) {
    List<QueueElement> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      QueueElement element = ready.take();
      bytes.addAndGet(-element.bytes());
      taken.add(element);
    }
    return taken;
  }

  private void requireOpen(List<ByteBuffer> keys) {
    if (!closed) {
      return;
    }
    for (ByteBuffer key : keys) {
      if (cancelled || !incomplete.containsKey(key)) {
        throw TributaryException.cancelled(
            "Barrier %s is closed, but attempted to insert a component of a new key.  Pending"
                + " enqueues cancelled: %b.  Number of incomplete keys: %d.",
            name, cancelled, incomplete.size());
      }
    }
  }

  private void requireMissing(List<ByteBuffer> keys, int component) {
    Set<ByteBuffer> seen = new HashSet<>();
    for (ByteBuffer key : keys) {
      Partial tuple = incomplete.get(key);
      boolean has = tuple != null && tuple.components().containsKey(component);
      // A tuple of one component is ready at once, so that its key may come again.
      boolean repeats = !seen.add(key) && types.size() > 1;
      if (has || repeats) {
        throw TributaryException.invalidArgument(
            "Key %s already has a value for component %d in barrier %s",
            new String(key.array(), StandardCharsets.UTF_8), component, name);
      }
    }
  }

  private void insert(ByteBuffer key, int component, Tensor row) {
    Partial tuple =
        incomplete.computeIfAbsent(key, unused -> new Partial(nextNumber, new LinkedHashMap<>()));
    tuple.components().put(component, row);
    bytes.addAndGet(bytesOf(row));
    if (tuple.components().size() == types.size()) {
      incomplete.remove(key);
      List<Tensor> components = new ArrayList<>();
      components.add(Tensor.scalar(tuple.number()));
      components.add(Tensor.ofObjects(DataType.STRING, Shape.scalar(), key.array()));
      for (int i = 0; i < types.size(); i++) {
        components.add(tuple.components().get(i));
      }
      QueueElement element =
          new QueueElement(arrivals++, components, heap, types.size() * ROW_HEAP);
      bytes.addAndGet(element.bytes());
      tuple.components().values().forEach(tensor -> bytes.addAndGet(-bytesOf(tensor)));
      ready.add(element);
    }
  }

  private static long bytesOf(Tensor row) {
    return row.byteSize() + ROW_HEAP;
  }

  private void releaseIncomplete() {
    for (Partial tuple : incomplete.values()) {
      for (Tensor tensor : tuple.components().values()) {
        bytes.addAndGet(-bytesOf(tensor));
        heap.giveBack(ROW_HEAP);
        tensor.close();
      }
    }
    incomplete.clear();
  }
}
