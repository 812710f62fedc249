package dev.tributary.internal.executor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A running instance of a frame: the root, or one execution of a while loop for one iteration of
 * the frame around it. Guarded by the lock of its {@link Propagation}.
 */
final class Frame {
  /** A value that enters every iteration. */
  record Invariant(NodeItem enter, Object value) {}

  /** A value for an iteration that may not start yet. */
  record Held(NodeItem nextIteration, Object value) {}

  final FrameItem item;

  /** See {@link FrameId}. */
  final long id;

  final Frame parent;
  final Iteration parentIteration;
  final Map<Long, Iteration> iterations = new HashMap<>();
  final List<Invariant> invariants = new ArrayList<>();
  final List<Held> held = new ArrayList<>();
  final List<NodeItem> deadExits = new ArrayList<>();
  long lastIteration;
  int pendingEnters;

  Frame(FrameItem item, Frame parent, Iteration parentIteration) {
    this.item = item;
    this.id =
        parent == null
            ? FrameId.ROOT
            : FrameId.of(parent.id, parentIteration.number, item.frameNameHash);
    this.parent = parent;
    this.parentIteration = parentIteration;
    this.pendingEnters = item.enterCount;
    iterations.put(0L, new Iteration(this, 0));
  }

  Iteration iteration(long number) {
    return iterations.get(number);
  }

  boolean isDone() {
    return pendingEnters == 0 && iterations.isEmpty();
  }

  /**
   * Returns whether nothing more can happen in an iteration: it is idle and nothing can arrive from
   * before.
   */
  boolean isDone(Iteration iteration) {
    if (iteration.outstandingNodes > 0 || iteration.outstandingFrames > 0) {
      return false;
    }
    return iteration.number == 0
        ? pendingEnters == 0
        : !iterations.containsKey(iteration.number - 1);
  }

  void release() {
    iterations.values().forEach(Iteration::release);
    iterations.clear();
    invariants.forEach(i -> StepExecution.drop(i.value()));
    invariants.clear();
    held.forEach(h -> StepExecution.drop(h.value()));
    held.clear();
  }
}
