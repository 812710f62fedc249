package dev.tributary.internal.kernel.flow;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Resource;
import dev.tributary.internal.memory.ElementHeap;
import dev.tributary.internal.memory.MemoryBudget;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Last in, first out. A loop keeps on it what its gradient will need. Guarded by its own monitor.
 */
public final class TensorStack implements Resource {
  private final String name;
  private final DataType type;
  private final int limit;

  @GuardedBy("this")
  private final Deque<Tensor> tensors = new ArrayDeque<>();

  /** The heap of the device, which all calls are on. */
  @GuardedBy("this")
  private ElementHeap heap = ElementHeap.of(MemoryBudget.UNLIMITED);

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param limit how many tensors it may hold; negative means any number
   */
  public TensorStack(String name, DataType type, int limit) {
    this.name = name;
    this.type = type;
    this.limit = limit;
  }

  /**
   * Adds a tensor, with a reference of its own.
   *
   * @param device the memory of the stack's device
   */
  public synchronized void push(Tensor tensor, MemoryBudget device) {
    requireOpen();
    if (tensor.type() != type) {
      throw TributaryException.invalidArgument(
          "Must have type %s but got %s on stack '%s'",
          type.lowerName(), tensor.type().lowerName(), name);
    }
    if (limit >= 0 && tensors.size() >= limit) {
      throw TributaryException.invalidArgument(
          "Stack[%s] overflowed its max_size (%d)", name, limit);
    }
    heap = ElementHeap.of(device);
    heap.take(ElementHeap.ofElement(1), "an element of stack '" + name + "'");
    tensors.push(tensor.retain());
  }

  /** Takes the tensor that was added last; its reference goes to the caller. */
  public synchronized Tensor pop() {
    requireOpen();
    if (tensors.isEmpty()) {
      throw TributaryException.invalidArgument("Stack[%s] is empty when calling Pop().", name);
    }
    heap.giveBack(ElementHeap.ofElement(1));
    return tensors.pop();
  }

  @Override
  public synchronized void close() {
    closed = true;
    heap.giveBack(tensors.size() * ElementHeap.ofElement(1));
    tensors.forEach(Tensor::close);
    tensors.clear();
  }

  @GuardedBy("this")
  private void requireOpen() {
    if (closed) {
      throw TributaryException.invalidArgument("Stack[%s] has already been closed.", name);
    }
  }
}
