package dev.tributary.internal.rewrite;

import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import java.util.List;
import java.util.Map;

/**
 * The consumers of a node's outputs. Looked up in the whole graph when a rewrite first asks, since
 * most graphs have nothing for it to look at; what the rewrite changes later is not seen. Confined
 * to one call.
 */
final class Consumers {
  private final StepGraph graph;
  private Map<StepNode, List<StepNode>> byNode = Map.of();

  Consumers(StepGraph graph) {
    this.graph = graph;
  }

  /** Once for each edge, data or control, in the order of the graph. */
  List<StepNode> of(StepNode node) {
    if (byNode.isEmpty()) {
      byNode = graph.consumers();
    }
    return byNode.getOrDefault(node, List.of());
  }

  /**
   * Returns whether {@code next} needs {@code node}, is alone in that, and needs nothing in order
   * to begin but values; both on one device.
   */
  boolean leadOnlyTo(StepNode node, StepNode next) {
    return of(node).equals(List.of(next))
        && next.controlInputs().isEmpty()
        && !graph.isRoot(node)
        && node.device().equals(next.device());
  }
}
