package dev.tributary.internal.plan;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Replacements of values and nodes in a {@link StepGraph}. A rewrite collects all its changes here
 * and applies them at once, so that a pass over a graph takes time linear in its size. A
 * replacement must not itself be replaced.
 */
public final class Substitution {
  private final Map<StepNode.Source, StepNode.Source> values = new HashMap<>();
  private final Map<StepNode, StepNode> nodes = new HashMap<>();
  private final Set<StepNode> unawaited = new HashSet<>();

  /**
   * Makes consumers of {@code from} consume {@code to}; who waits for the node of {@code from}
   * still does.
   */
  public void replace(StepNode.Source from, StepNode.Source to) {
    values.put(from, to);
  }

  /**
   * Makes all that {@code from} gives come from {@code to}, output by output, control edges too.
   */
  public void replace(StepNode from, StepNode to) {
    nodes.put(from, to);
  }

  /** Lets nobody wait for {@code node} any more. */
  public void dropControlEdges(StepNode node) {
    unawaited.add(node);
  }

  /** Returns the replacement of a value, or the value itself. */
  public StepNode.Source of(StepNode.Source value) {
    StepNode node = nodes.get(value.node());
    return node != null
        ? new StepNode.Source(node, value.index())
        : values.getOrDefault(value, value);
  }

  public boolean isEmpty() {
    return values.isEmpty() && nodes.isEmpty() && unawaited.isEmpty();
  }

  void applyTo(StepNode node) {
    node.inputs().replaceAll(this::of);
    if (!node.controlInputs().isEmpty()) {
      node.controlInputs().removeAll(unawaited);
      node.controlInputs().replaceAll(c -> nodes.getOrDefault(c, c));
    }
  }
}
