package dev.tributary.internal.executor;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Moves values along the edges of a running graph, through frames and iterations, and finds which
 * nodes become ready.
 *
 * <p>Everything here, and in the frames and iterations it owns, is guarded by this object's
 * monitor; it calls nothing but tensor reference counts while holding it.
 *
 * <h2>Frames</h2>
 *
 * An Enter makes a frame for the iteration it fires in, and its value goes to iteration 0 of that
 * frame (or to all iterations, if it is a loop invariant). A NextIteration moves a value one
 * iteration on. An Exit moves it to the iteration around the frame. An iteration ends when nothing
 * in it is outstanding and nothing can still come from the iteration before; a frame ends when its
 * last iteration did. Deadness stops at a NextIteration; a dead Exit counts only if it is dead in
 * the last iteration, so it is remembered and passed on when the frame ends.
 */
final class Propagation {
  private final ExecutableGraph graph;
  private final Frame root;

  @GuardedBy("this")
  private final Set<Frame> frames = new LinkedHashSet<>();

  @GuardedBy("this")
  private int outstanding;

  Propagation(ExecutableGraph graph) {
    this.graph = graph;
    root = new Frame(graph.frames[0], null, null);
    frames.add(root);
  }

  synchronized List<ReadyNode> start() {
    List<ReadyNode> ready = new ArrayList<>(graph.sources.length);
    Iteration first = root.iteration(0);
    for (NodeItem source : graph.sources) {
      add(source, first, false, ready);
    }
    return ready;
  }

  /**
   * Passes a node's outputs on; null stands for a dead one. Takes over their references. True if
   * the step has nothing left to do.
   */
  synchronized boolean propagate(
      ReadyNode done, Object[] outputs, boolean dead, List<ReadyNode> ready) {
    NodeItem node = done.node;
    Iteration iteration = done.iteration;
    switch (node.flow) {
      case ENTER:
        enter(node, iteration, outputs, dead, ready);
        break;
      case EXIT:
        exit(node, iteration, outputs, dead, ready);
        break;
      case NEXT_ITERATION:
        nextIteration(node, iteration, outputs, dead, ready);
        break;
      default:
        activate(node, outputs, dead, iteration, ready);
    }
    iteration.outstandingNodes--;
    cleanUp(iteration, ready);
    return --outstanding == 0;
  }

  /** Counts a node as done that will not pass anything on; true if it was the last one. */
  synchronized boolean finishWithoutOutputs() {
    return --outstanding == 0;
  }

  /** Gives back what waits for a node that will not run. */
  void discardInputs(ReadyNode ready) {
    Object[] slots = ready.iteration.slots;
    int first = ready.node.firstSlot;
    for (int i = first; i < first + ready.node.inputCount(); i++) {
      StepExecution.drop(slots[i]);
      slots[i] = null;
    }
  }

  /** Gives back everything that still waits. */
  synchronized void release() {
    frames.forEach(Frame::release);
    frames.clear();
  }

  @GuardedBy("this")
  private void enter(
      NodeItem node, Iteration from, Object[] outputs, boolean dead, List<ReadyNode> ready) {
    Frame child = from.children.get(node.enters);
    if (child == null) {
      child = new Frame(node.enters, from.frame, from);
      from.children.put(node.enters, child);
      from.outstandingFrames++;
      frames.add(child);
    }
    if (node.isLoopInvariant) {
      for (Iteration iteration : List.copyOf(child.iterations.values())) {
        activate(node, retained(outputs), dead, iteration, ready);
      }
      child.invariants.add(new Frame.Invariant(node, outputs[0]));
    } else {
      activate(node, outputs, dead, child.iteration(0), ready);
    }
    child.pendingEnters--;
    cleanUpFrom(child, 0, ready);
  }

  @GuardedBy("this")
  private void exit(
      NodeItem node, Iteration from, Object[] outputs, boolean dead, List<ReadyNode> ready) {
    if (!dead) {
      activate(node, outputs, false, from.frame.parentIteration, ready);
    } else if (from.number == from.frame.lastIteration) {
      from.frame.deadExits.add(node);
    }
  }

  @GuardedBy("this")
  private void nextIteration(
      NodeItem node, Iteration from, Object[] outputs, boolean dead, List<ReadyNode> ready) {
    if (dead) {
      return;
    }
    Frame frame = from.frame;
    if (from.number == frame.lastIteration) {
      if (frame.iterations.size() >= frame.item.parallelIterations) {
        frame.held.add(new Frame.Held(node, outputs[0]));
        return;
      }
      startIteration(frame, ready);
    }
    activate(node, outputs, false, frame.iteration(from.number + 1), ready);
  }

  @GuardedBy("this")
  private void startIteration(Frame frame, List<ReadyNode> ready) {
    frame.lastIteration++;
    frame.deadExits.clear();
    Iteration next = new Iteration(frame, frame.lastIteration);
    frame.iterations.put(frame.lastIteration, next);
    for (Frame.Invariant invariant : frame.invariants) {
      Object[] value = retained(new Object[] {invariant.value()});
      activate(invariant.enter(), value, invariant.value() == null, next, ready);
    }
    List<Frame.Held> held = List.copyOf(frame.held);
    frame.held.clear();
    for (Frame.Held h : held) {
      activate(h.nextIteration(), new Object[] {h.value()}, false, next, ready);
    }
  }

  /** Delivers outputs to the consumers in one iteration, with a reference for each. */
  @GuardedBy("this")
  private void activate(
      NodeItem node, Object[] outputs, boolean dead, Iteration target, List<ReadyNode> ready) {
    boolean fromEnter = node.flow == FlowKind.ENTER;
    for (int i = 0; i < outputs.length; i++) {
      NodeItem.Edge[] edges = node.outputs[i];
      Object value = outputs[i];
      retain(value, edges.length - 1);
      for (NodeItem.Edge edge : edges) {
        settle(
            target.arriveData(edge.target(), edge.slot(), value, fromEnter),
            edge.target(),
            target,
            ready);
      }
    }
    for (NodeItem consumer : node.controlOutputs) {
      settle(target.arriveControl(consumer, dead), consumer, target, ready);
    }
  }

  @GuardedBy("this")
  private void settle(
      Iteration.Arrival arrival, NodeItem node, Iteration iteration, List<ReadyNode> ready) {
    if (arrival != Iteration.Arrival.WAITING) {
      add(node, iteration, arrival == Iteration.Arrival.READY_DEAD, ready);
    }
  }

  @GuardedBy("this")
  private void add(NodeItem node, Iteration iteration, boolean dead, List<ReadyNode> ready) {
    iteration.outstandingNodes++;
    outstanding++;
    ready.add(new ReadyNode(node, iteration, dead));
  }

  @GuardedBy("this")
  private void cleanUp(Iteration iteration, List<ReadyNode> ready) {
    if (iteration.frame != root) {
      cleanUpFrom(iteration.frame, iteration.number, ready);
    }
  }

  /**
   * Ends the iterations from {@code number} on that are done, then the frame, then looks at the
   * iteration around it.
   */
  @GuardedBy("this")
  private void cleanUpFrom(Frame frame, long number, List<ReadyNode> ready) {
    Iteration iteration = frame.iteration(number);
    while (iteration != null && frame.isDone(iteration)) {
      iteration.release();
      frame.iterations.remove(iteration.number);
      if (!frame.held.isEmpty()) {
        startIteration(frame, ready);
      }
      iteration = frame.iteration(iteration.number + 1);
    }
    if (frame.isDone() && frames.remove(frame)) {
      endFrame(frame, ready);
    }
  }

  @GuardedBy("this")
  private void endFrame(Frame frame, List<ReadyNode> ready) {
    Iteration outer = frame.parentIteration;
    for (NodeItem exit : frame.deadExits) {
      activate(exit, new Object[exit.outputTypes.length], true, outer, ready);
    }
    frame.release();
    outer.children.remove(frame.item);
    outer.outstandingFrames--;
    cleanUp(outer, ready);
  }

  private static Object[] retained(Object[] outputs) {
    retain(outputs[0], 1);
    return outputs;
  }

  private static void retain(Object value, int count) {
    if (!(value instanceof Tensor)) {
      return;
    }
    Tensor tensor = (Tensor) value;
    if (count < 0) {
      tensor.close();
    } else if (count > 0) {
      SharedTensors.retain(tensor, count);
    }
  }
}
