package dev.tributary.cluster.internal.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.internal.memory.MemoryBudget;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.internal.time.IdleLooks;
import dev.tributary.internal.time.ThreadTimer;
import dev.tributary.internal.time.Timer;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The memory by which tensors get here from the other side of one connection. They stand where they
 * came in, also when the connection has ended; when one is released, the sender may fill its slot
 * again. Guarded by its own monitor.
 */
final class IncomingSlots implements AutoCloseable {
  private static final class Slot {
    final SharedSlot memory;
    boolean held;

    Slot(SharedSlot memory) {
      this.memory = memory;
    }
  }

  private final MemoryBudget budget;
  private final IdleLooks looks;

  @GuardedBy("this")
  private final Map<Integer, Slot> slots = new HashMap<>();

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param budget counts the tensors that are held
   */
  IncomingSlots(MemoryBudget budget) {
    this(budget, ThreadTimer.shared());
  }

  /**
   * @param timer repeats the look for slots that the sender has dropped
   */
  IncomingSlots(MemoryBudget budget, Timer timer) {
    this.budget = budget;
    this.looks = new IdleLooks(timer, this::closeDropped);
  }

  /** Opens a slot that the other side has told of. */
  synchronized void open(int id, String file) throws IOException {
    Slot slot = new Slot(SharedSlot.open(file));
    if (closed || slots.putIfAbsent(id, slot) != null) {
      slot.memory.close();
      throw new IOException("malformed: slot " + id + " is known or comes too late");
    }
    closeDropped();
    looks.begin();
  }

  /** Returns whether there are slots left. */
  private synchronized boolean closeDropped() {
    closeIf(slot -> !slot.held && slot.memory.isDropped());
    return !slots.isEmpty();
  }

  /** The tensor that the other side has put there; RESOURCE_EXHAUSTED if it does not fit. */
  synchronized Tensor tensor(int id, DataType type, Shape shape) throws IOException {
    Slot slot = slots.get(id);
    if (slot == null || slot.held) {
      throw new IOException("malformed: slot " + id + (slot == null ? " is unknown" : " is held"));
    }
    long count = shape.elementCount();
    if (count < 0 || count > slot.memory.capacity() / type.size()) {
      throw new IOException(
          "malformed: a " + type.lowerName() + " tensor " + shape + " is not in slot " + id);
    }
    long bytes = count * type.size();
    slot.held = true;
    if (!budget.tryReserve(bytes)) {
      release(id, slot, 0);
      throw budget.exhausted(bytes, "a tensor");
    }
    return SharedTensors.over(type, shape, slot.memory.address(), () -> release(id, slot, bytes));
  }

  private synchronized void release(int id, Slot slot, long bytes) {
    budget.release(bytes);
    slot.held = false;
    boolean over = !slot.memory.release();
    if (over || closed) {
      slots.remove(id);
      slot.memory.close();
    }
  }

  /** Tensors that are held stay; whoever releases them gives their memory back. */
  @Override
  public synchronized void close() {
    closed = true;
    closeIf(slot -> !slot.held);
  }

  @GuardedBy("this")
  private void closeIf(Predicate<Slot> isOver) {
    slots
        .values()
        .removeIf(
            slot -> {
              boolean over = isOver.test(slot);
              if (over) {
                slot.memory.close();
              }
              return over;
            });
  }
}
