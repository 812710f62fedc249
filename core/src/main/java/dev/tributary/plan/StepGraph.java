package dev.tributary.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The nodes that a step runs, with the edges between them. Mutable while rewrites work on it; confined to the thread that
 * prepares the step.
 */
public final class StepGraph {
  private final List<StepNode> nodes;
  private final Set<StepNode> roots;

  /**
   * @param nodes all nodes, in an order in which sources come before their consumers, loops apart
   * @param roots the nodes for whose sake the step runs: fetches and targets
   */
  StepGraph(List<StepNode> nodes, Collection<StepNode> roots) {
    this.nodes = new ArrayList<>(nodes);
    this.roots = new LinkedHashSet<>(roots);
  }

  public List<StepNode> nodes() {
    return Collections.unmodifiableList(nodes);
  }

  public boolean isRoot(StepNode node) {
    return roots.contains(node);
  }

  /** Adds a node in front of all others: one without inputs, such as a constant. */
  public void addSource(StepNode node) {
    nodes.add(0, node);
  }

  /** Makes every consumer of {@code from} consume {@code to}. */
  public void redirect(StepNode.Source from, StepNode.Source to) {
    for (StepNode node : nodes) {
      node.inputs().replaceAll(input -> input.equals(from) ? to : input);
    }
  }

  /** Makes all that {@code old} gave come from {@code replacement}, output by output, control edges too. */
  public void replace(StepNode old, StepNode replacement) {
    for (StepNode node : nodes) {
      node.inputs().replaceAll(i -> i.node() == old ? new StepNode.Source(replacement, i.index()) : i);
      if (node.controlInputs().contains(old)) {
        node.controlInputs().replaceAll(c -> c == old ? replacement : c);
      }
    }
    if (roots.remove(old)) {
      roots.add(replacement);
    }
  }

  /** Drops the nodes that no root needs any more. */
  public void prune() {
    Set<StepNode> needed = Collections.newSetFromMap(new IdentityHashMap<>());
    List<StepNode> open = new ArrayList<>(roots);
    while (!open.isEmpty()) {
      StepNode node = open.remove(open.size() - 1);
      if (needed.add(node)) {
        node.inputs().forEach(input -> open.add(input.node()));
        open.addAll(node.controlInputs());
      }
    }
    nodes.removeIf(node -> !needed.contains(node));
  }

  /** The nodes that consume something of each node, data or control. */
  public Map<StepNode, List<StepNode>> consumers() {
    Map<StepNode, List<StepNode>> consumers = new IdentityHashMap<>();
    for (StepNode node : nodes) {
      node.inputs().forEach(i -> consumers.computeIfAbsent(i.node(), key -> new ArrayList<>()).add(node));
      node.controlInputs().forEach(c -> consumers.computeIfAbsent(c, key -> new ArrayList<>()).add(node));
    }
    return consumers;
  }
}
