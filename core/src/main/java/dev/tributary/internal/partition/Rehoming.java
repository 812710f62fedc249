package dev.tributary.internal.partition;

import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import java.util.List;
import java.util.Map;

/**
 * Moves nodes of control flow to where the values are that they pass on, so that loops and branches
 * cross devices no more often than they must.
 */
final class Rehoming {
  private Rehoming() {}

  static void run(StepGraph graph) {
    if (!graph.hasControlFlow()) {
      return;
    }
    Map<StepNode, List<StepNode>> consumers = graph.consumers();
    for (StepNode node : graph.nodes()) {
      switch (node.declaration().flow()) {
        case SWITCH:
        case EXIT:
          node.place(node.inputs().get(0).node().device());
          break;
        case ENTER:
          if (!node.isRefInput(0)) {
            followConsumer(node, consumers);
          }
          break;
        case NEXT_ITERATION:
          followConsumer(node, consumers);
          break;
        default:
      }
    }
  }

  private static void followConsumer(StepNode node, Map<StepNode, List<StepNode>> consumers) {
    consumers.getOrDefault(node, List.of()).stream()
        .filter(consumer -> consumer.inputs().stream().anyMatch(input -> input.node() == node))
        .findFirst()
        .ifPresent(consumer -> node.place(consumer.device()));
  }
}
