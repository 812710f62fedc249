package dev.tributary.internal.executor;

import dev.tributary.internal.op.FlowKind;
import dev.tributary.tensor.Tensor;
import java.util.HashMap;
import java.util.Map;

/**
 * The state of one iteration of a frame: the values that wait in input slots, and how much each
 * node still waits for. Guarded by the lock of its {@link Propagation}.
 */
final class Iteration {
  final Frame frame;
  final long number;
  final Object[] slots;

  /** See {@link FrameItem#initialPending}. */
  private final int[] pending;

  /** For each node, how many of its inputs were dead. */
  private final int[] dead;

  /** True if a Merge has got its live input. */
  private final boolean[] merged;

  /** The loops that run inside this iteration. */
  final Map<FrameItem, Frame> children = new HashMap<>();

  int outstandingNodes;
  int outstandingFrames;

  Iteration(Frame frame, long number) {
    this.frame = frame;
    this.number = number;
    FrameItem item = frame.item;
    slots = new Object[item.slotCount];
    pending = item.initialPending.clone();
    dead = new int[item.nodeCount];
    merged = new boolean[item.nodeCount];
  }

  /** The consequence of the arrival of an input. */
  enum Arrival {
    WAITING,
    READY,
    READY_DEAD
  }

  /**
   * A value for a slot; null for a dead one. Takes over its reference, whether it is kept or not.
   */
  Arrival arriveData(NodeItem node, int slot, Object value, boolean fromEnter) {
    int place = node.placeInFrame;
    if (node.flow == FlowKind.MERGE) {
      return arriveAtMerge(node, slot, value, fromEnter);
    }
    if (value == null) {
      dead[place]++;
    } else {
      slots[node.firstSlot + slot] = value;
    }
    return countDown(node);
  }

  Arrival arriveControl(NodeItem node, boolean isDead) {
    int place = node.placeInFrame;
    if (node.flow == FlowKind.MERGE) {
      pending[place]--;
      if (pending[place] > 0) {
        return Arrival.WAITING;
      }
      if (merged[place]) {
        return Arrival.READY;
      }
      return dead[place] == node.inputCount() ? Arrival.READY_DEAD : Arrival.WAITING;
    }
    if (isDead && node.flow != FlowKind.CONTROL_TRIGGER) {
      dead[place]++;
    }
    return countDown(node);
  }

  private Arrival arriveAtMerge(NodeItem node, int slot, Object value, boolean fromEnter) {
    int place = node.placeInFrame;
    if (value != null) {
      if (merged[place]) {
        StepExecution.drop(value);
        return Arrival.WAITING;
      }
      merged[place] = true;
      slots[node.firstSlot + slot] = value;
      return pending[place] == 0 ? Arrival.READY : Arrival.WAITING;
    }
    // A dead Enter means the whole loop is on the branch not taken: its Merge will never see a
    // second input.
    dead[place] = fromEnter ? node.inputCount() : dead[place] + 1;
    boolean allDead = dead[place] == node.inputCount();
    return allDead && pending[place] == 0 && !merged[place] ? Arrival.READY_DEAD : Arrival.WAITING;
  }

  private Arrival countDown(NodeItem node) {
    int place = node.placeInFrame;
    if (--pending[place] > 0) {
      return Arrival.WAITING;
    }
    return dead[place] > 0 ? Arrival.READY_DEAD : Arrival.READY;
  }

  /** Gives back every value that still waits. */
  void release() {
    for (int i = 0; i < slots.length; i++) {
      if (slots[i] instanceof Tensor) {
        ((Tensor) slots[i]).close();
      }
      slots[i] = null;
    }
  }
}
