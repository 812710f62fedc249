package dev.tributary.internal.plan;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.op.FlowKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The nodes that a step runs, with the edges between them. Mutable while rewrites work on it;
 * confined to the thread that prepares the step. Each method takes time linear in the size of the
 * graph, or less.
 */
public final class StepGraph {
  private final List<StepNode> nodes;
  private final Map<StepNode, String> roots;

  /**
   * @param nodes all nodes, in the order in which the client made them: sources come before their
   *     consumers, loops and control edges added later apart
   * @param roots the nodes for whose sake the step runs, and how errors call them; an empty text
   *     for one that no client named, which may lie inside a loop
   */
  public StepGraph(List<StepNode> nodes, Map<StepNode, String> roots) {
    this.nodes = new ArrayList<>(nodes);
    this.roots = new LinkedHashMap<>(roots);
  }

  /**
   * All of these operations, with nothing fed or fetched: what a master places. Their inputs must
   * be among them.
   */
  public static StepGraph whole(List<Operation> operations) {
    Map<Operation, StepNode> nodes = new LinkedHashMap<>();
    operations.forEach(operation -> nodes.put(operation, StepNode.of(operation)));
    Map<StepNode, String> roots = new LinkedHashMap<>();
    nodes.forEach(
        (operation, node) -> {
          for (Output input : operation.inputs()) {
            node.inputs().add(new StepNode.Source(nodes.get(input.operation()), input.index()));
          }
          operation
              .controlInputs()
              .forEach(control -> node.controlInputs().add(nodes.get(control)));
          roots.put(node, "");
        });
    return new StepGraph(List.copyOf(nodes.values()), roots);
  }

  public List<StepNode> nodes() {
    return Collections.unmodifiableList(nodes);
  }

  /** Returns whether there are branches or loops. */
  public boolean hasControlFlow() {
    for (StepNode node : nodes) {
      if (node.declaration().flow() != FlowKind.NONE) {
        return true;
      }
    }
    return false;
  }

  public boolean isRoot(StepNode node) {
    return roots.containsKey(node);
  }

  /** The client's name of a root: the tensor it fetches or the target it runs; or empty. */
  public String rootLabel(StepNode root) {
    return roots.get(root);
  }

  /** Adds nodes in front of all others: ones without inputs, such as constants. */
  public void addSources(Collection<StepNode> sources) {
    nodes.addAll(0, sources);
  }

  /** Adds nodes behind all others. */
  public void append(Collection<StepNode> added) {
    nodes.addAll(added);
  }

  /** Adds nodes, each list of them just in front of a node that is there. */
  public void insertBefore(Map<StepNode, List<StepNode>> insertions) {
    if (insertions.isEmpty()) {
      return;
    }
    List<StepNode> all = new ArrayList<>(nodes.size() + insertions.size());
    for (StepNode node : nodes) {
      all.addAll(insertions.getOrDefault(node, List.of()));
      all.add(node);
    }
    nodes.clear();
    nodes.addAll(all);
  }

  /**
   * Changes every edge as the substitution says. Nodes which nobody needs any more stay until
   * {@link #prune}.
   */
  public void apply(Substitution substitution) {
    if (!substitution.isEmpty()) {
      nodes.forEach(substitution::applyTo);
    }
  }

  /**
   * Puts other nodes in the places of some, roots or not, and lets their consumers consume the new
   * ones.
   */
  public void exchange(Map<StepNode, StepNode> replacements) {
    Map<StepNode, String> newRoots = new LinkedHashMap<>();
    roots.forEach((root, label) -> newRoots.put(replacements.getOrDefault(root, root), label));
    roots.clear();
    roots.putAll(newRoots);
    Substitution substitution = new Substitution();
    replacements.forEach(substitution::replace);
    nodes.replaceAll(node -> replacements.getOrDefault(node, node));
    apply(substitution);
  }

  /** Puts other nodes and roots in the places of all. */
  public void replaceAll(List<StepNode> newNodes, Map<StepNode, String> newRoots) {
    nodes.clear();
    nodes.addAll(newNodes);
    roots.clear();
    roots.putAll(newRoots);
  }

  /** Drops the nodes that no root needs any more. */
  public void prune() {
    Set<StepNode> needed = new HashSet<>();
    List<StepNode> open = new ArrayList<>(roots.keySet());
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
      node.inputs()
          .forEach(i -> consumers.computeIfAbsent(i.node(), key -> new ArrayList<>()).add(node));
      node.controlInputs()
          .forEach(c -> consumers.computeIfAbsent(c, key -> new ArrayList<>()).add(node));
    }
    return consumers;
  }
}
