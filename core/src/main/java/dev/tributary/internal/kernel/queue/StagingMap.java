package dev.tributary.internal.kernel.queue;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.Resource;
import dev.tributary.internal.kernel.resource.AsyncMonitor;
import dev.tributary.internal.memory.ElementHeap;
import dev.tributary.internal.memory.MemoryBudget;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tuples of tensors by key. The components of a tuple may come one by one; it can be taken when it
 * has all of them, and its components one by one, too. Guarded by its monitor. It owns its
 * elements, and releases them when it is dropped; calls that still wait then are cancelled.
 */
final class StagingMap implements Resource {
  private static final int PUTS = 0;
  private static final int GETS = 1;

  private final String name;
  private final List<DataType> types;
  private final StagingLimits limits;
  private final AsyncMonitor monitor = AsyncMonitor.unordered(2);
  private final Map<Long, Map<Integer, Tensor>> complete;
  private final Map<Long, Map<Integer, Tensor>> incomplete = new LinkedHashMap<>();

  /** The bytes of tensors. Changed under the monitor's lock, read without. */
  private final AtomicLong bytes = new AtomicLong();

  /** The number of tensors, each of which takes heap, likewise. */
  private final AtomicLong tensorCount = new AtomicLong();

  /** The heap of the device, which all calls are on. */
  private ElementHeap heap = ElementHeap.of(MemoryBudget.UNLIMITED);

  /**
   * @param isOrdered whether the least key is the first to be taken by those who name none
   */
  StagingMap(String name, List<DataType> types, StagingLimits limits, boolean isOrdered) {
    this.name = name;
    this.types = List.copyOf(types);
    this.limits = limits;
    this.complete = isOrdered ? new TreeMap<>() : new LinkedHashMap<>();
  }

  /** Adds the call's inputs behind the first two, one for each index, when there is room. */
  void put(KernelContext call, AsyncKernel.Completion done, long key, int[] indices) {
    List<Tensor> inputs = new ArrayList<>();
    for (int i = 2; i < call.inputCount(); i++) {
      inputs.add(call.input(i));
    }
    requireIndices(indices, inputs.size());
    for (int i = 0; i < indices.length; i++) {
      if (inputs.get(i).type() != types.get(indices[i])) {
        throw TributaryException.invalidArgument(
            "component %d of staging map '%s' is %s, got %s",
            indices[i], name, types.get(indices[i]).lowerName(), inputs.get(i).type().lowerName());
      }
    }
    long size = limits.requireBytes(inputs);
    monitor.submit(
        PUTS,
        new TupleAttempt(
            "MapStage",
            call,
            done,
            () -> {
              boolean isNew = !incomplete.containsKey(key);
              long count = (long) complete.size() + incomplete.size();
              boolean fits =
                  isNew
                      ? limits.hasRoom(count, bytes.get(), size)
                      : limits.hasMemory(bytes.get(), size);
              if (!fits) {
                return Optional.empty();
              }
              heap = ElementHeap.of(call.allocator().budget());
              add(key, indices, inputs);
              return Optional.of(List.of());
            }));
  }

  /** Gives some components of a tuple when it is complete. */
  void get(
      KernelContext call, AsyncKernel.Completion done, long key, int[] indices, boolean keeps) {
    requireSome(indices);
    monitor.submit(
        GETS,
        new TupleAttempt(
            keeps ? "MapPeek" : "MapUnstage",
            call,
            done,
            () ->
                complete.containsKey(key)
                    ? Optional.of(components(key, indices, keeps))
                    : Optional.empty()));
  }

  /** Gives the key of a complete tuple and some of its components. */
  void getAny(KernelContext call, AsyncKernel.Completion done, int[] indices) {
    requireSome(indices);
    monitor.submit(
        GETS,
        new TupleAttempt(
            "MapUnstageNoKey",
            call,
            done,
            () -> {
              if (complete.isEmpty()) {
                return Optional.empty();
              }
              long key = complete.keySet().iterator().next();
              List<Tensor> outputs = new ArrayList<>(components(key, indices, false));
              outputs.add(0, Tensor.scalar(key));
              return Optional.of(outputs);
            }));
  }

  int size() {
    return monitor.read(complete::size);
  }

  int incompleteSize() {
    return monitor.read(incomplete::size);
  }

  void clear() {
    monitor.change(this::releaseAll);
  }

  @Override
  public String kind() {
    return "staging maps";
  }

  @Override
  public long heldBytes() {
    return bytes.get() + ElementHeap.ofElement(1) * tensorCount.get();
  }

  @Override
  public void close() {
    monitor.drop(
        TributaryException.cancelled("%s was dropped with its container", this), this::releaseAll);
  }

  private void add(long key, int[] indices, List<Tensor> tensors) {
    Map<Integer, Tensor> tuple = incomplete.getOrDefault(key, Map.of());
    for (int index : indices) {
      if (tuple.containsKey(index)) {
        throw TributaryException.invalidArgument(
            "The tensor for index '%d' for key '%d' was already initialized '%d'.",
            index, key, types.size());
      }
    }
    if (complete.containsKey(key)) {
      throw TributaryException.invalidArgument(
          "staging map '%s' already has a complete tuple for key %d", name, key);
    }
    heap.take(indices.length * ElementHeap.ofElement(1), "an element of " + this);
    tensorCount.addAndGet(indices.length);
    tuple = incomplete.computeIfAbsent(key, unused -> new TreeMap<>());
    for (int i = 0; i < indices.length; i++) {
      // Inputs stay valid until the call ends; the element has references of its own.
      tuple.put(indices[i], tensors.get(i).retain());
      bytes.addAndGet(tensors.get(i).byteSize());
    }
    if (tuple.size() == types.size()) {
      incomplete.remove(key);
      complete.put(key, tuple);
    }
  }

  private List<Tensor> components(long key, int[] indices, boolean keeps) {
    Map<Integer, Tensor> tuple = complete.get(key);
    for (int index : indices) {
      if (!tuple.containsKey(index)) {
        throw TributaryException.invalidArgument(
            "Tensor at index '%d' for key '%d' has already been removed.", index, key);
      }
    }
    List<Tensor> components = new ArrayList<>();
    for (int index : indices) {
      if (keeps) {
        components.add(tuple.get(index).retain());
      } else {
        Tensor component = tuple.remove(index);
        bytes.addAndGet(-component.byteSize());
        components.add(component);
        giveBackHeapOf(1);
      }
    }
    if (tuple.isEmpty()) {
      complete.remove(key);
    }
    return components;
  }

  private void requireSome(int[] indices) {
    requireIndices(indices, indices.length);
    if (indices.length == 0) {
      throw TributaryException.invalidArgument("indices must name a component");
    }
  }

  private void requireIndices(int[] indices, int count) {
    if (indices.length != count) {
      throw TributaryException.invalidArgument(
          "there must be an index for each of %d tensors, got %d", count, indices.length);
    }
    for (int i = 0; i < indices.length; i++) {
      if (indices[i] < 0 || indices[i] >= types.size()) {
        throw TributaryException.invalidArgument(
            "Index '%d' for a tuple of %d components is out of bounds", indices[i], types.size());
      }
      if (i > 0 && indices[i] <= indices[i - 1]) {
        throw TributaryException.invalidArgument(
            "Indices are not strictly ordered: %d follows %d", indices[i], indices[i - 1]);
      }
    }
  }

  private void giveBackHeapOf(long count) {
    tensorCount.addAndGet(-count);
    heap.giveBack(count * ElementHeap.ofElement(1));
  }

  @Override
  public String toString() {
    return "staging map '" + name + "'";
  }

  private void releaseAll() {
    giveBackHeapOf(tensorCount.get());
    complete.values().forEach(tuple -> tuple.values().forEach(Tensor::close));
    incomplete.values().forEach(tuple -> tuple.values().forEach(Tensor::close));
    complete.clear();
    incomplete.clear();
    bytes.set(0);
  }
}
