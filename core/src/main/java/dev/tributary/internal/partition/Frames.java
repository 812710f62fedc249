package dev.tributary.internal.partition;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The loop that each node runs in. An Enter runs outside of the loop that it leads into, an Exit
 * inside of the one that it leads out of; so all inputs of a node come from its own frame. Confined
 * to one call of the partitioner.
 */
final class Frames {
  private final Map<StepNode, LoopFrame> frames = new IdentityHashMap<>();

  private Frames() {}

  /** Follows the values from the sources on; INVALID_ARGUMENT if loops are not properly nested. */
  static Frames of(StepGraph graph) {
    Frames frames = new Frames();
    if (!graph.hasControlFlow()) {
      LoopFrame root = LoopFrame.root();
      graph.nodes().forEach(node -> frames.put(node, root));
      return frames;
    }
    frames.walk(graph);
    graph.nodes().forEach(node -> frames.check(graph, node));
    return frames;
  }

  LoopFrame of(StepNode node) {
    return frames.get(node);
  }

  void put(StepNode node, LoopFrame frame) {
    frames.put(node, frame);
  }

  private void walk(StepGraph graph) {
    Map<StepNode, List<StepNode>> consumers = graph.consumers();
    Deque<StepNode> open = new ArrayDeque<>();
    LoopFrame root = LoopFrame.root();
    for (StepNode node : graph.nodes()) {
      if (node.inputs().isEmpty() && node.controlInputs().isEmpty()) {
        put(node, root);
        open.add(node);
      }
    }
    while (!open.isEmpty()) {
      StepNode node = open.remove();
      LoopFrame after = after(node);
      for (StepNode consumer : consumers.getOrDefault(node, List.of())) {
        LoopFrame known = frames.putIfAbsent(consumer, after);
        if (known == null) {
          open.add(consumer);
        } else if (known != after) {
          throw TributaryException.invalidArgument(
              "%s has inputs from frame '%s' and from frame '%s': a value inside a loop can be"
                  + " used, fed or fetched only there",
              consumer, known.path, after.path);
        }
      }
    }
  }

  private LoopFrame after(StepNode node) {
    LoopFrame frame = of(node);
    switch (node.declaration().flow()) {
      case ENTER:
        return frame.enteredBy(node);
      case EXIT:
        return frame.parent.orElseThrow(
            () -> TributaryException.invalidArgument("%s leaves a loop that it is not in", node));
      default:
        return frame;
    }
  }

  private void check(StepGraph graph, StepNode node) {
    LoopFrame frame = of(node);
    if (frame == null) {
      throw TributaryException.invalidArgument(
          "%s only follows from its own loop, which nothing enters", node);
    }
    if (node.declaration().flow() == FlowKind.LOOP_COND) {
      frame.setCondition(node);
    }
    if (!frame.isRoot() && graph.isRoot(node) && !graph.rootLabel(node).isEmpty()) {
      throw TributaryException.invalidArgument(
          "%s is inside the loop '%s', where it has many values or none: take what leaves the loop"
              + " instead",
          graph.rootLabel(node), frame.path.substring(1));
    }
  }
}
