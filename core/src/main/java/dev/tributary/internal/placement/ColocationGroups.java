package dev.tributary.internal.placement;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceSpec;
import dev.tributary.internal.plan.StepNode;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The groups of nodes that belong together: a disjoint-set forest over the nodes of a graph.
 * Confined to one call.
 */
final class ColocationGroups {
  private final Map<StepNode, ColocationGroup> groups = new HashMap<>();
  private final Map<StepNode, StepNode> parents = new HashMap<>();
  private final boolean soft;

  /**
   * @param fixed the devices of nodes that have one already, by their names
   */
  ColocationGroups(Collection<StepNode> nodes, Map<String, DeviceSpec> fixed, boolean soft) {
    this.soft = soft;
    for (StepNode node : nodes) {
      DeviceSpec device = fixed.get(node.name());
      groups.put(
          node, device == null ? ColocationGroup.of(node) : ColocationGroup.fixed(node, device));
    }
  }

  ColocationGroup of(StepNode node) {
    return groups.get(root(node));
  }

  /** Joins by a {@code _class} group, which under soft placement is only a wish. */
  void join(StepNode a, StepNode b) {
    StepNode first = root(a);
    StepNode second = root(b);
    if (first == second) {
      return;
    }
    boolean firstLeads = of(first).size() >= of(second).size();
    StepNode larger = firstLeads ? first : second;
    StepNode smaller = firstLeads ? second : first;
    if (groups.get(larger).absorb(groups.get(smaller), soft)) {
      parents.put(smaller, larger);
    } else if (!soft) {
      throw conflict(b, a);
    }
  }

  /** Joins a node to where the variable or resource that it takes lives. */
  void joinToResource(StepNode resource, StepNode consumer) {
    StepNode owner = root(resource);
    StepNode user = root(consumer);
    if (owner == user) {
      return;
    }
    ColocationGroup group = groups.get(owner);
    if (!group.absorb(groups.get(user), soft) && !group.absorbOverriding(groups.get(user), soft)) {
      throw conflict(consumer, resource);
    }
    parents.put(user, owner);
  }

  private TributaryException conflict(StepNode node, StepNode other) {
    return TributaryException.invalidArgument(
        "cannot colocate %s, which wants device '%s', with %s, which wants device '%s'",
        node, of(node).wanted(), other, of(other).wanted());
  }

  private StepNode root(StepNode node) {
    StepNode at = node;
    StepNode parent = parents.get(at);
    while (parent != null) {
      StepNode grandparent = parents.get(parent);
      if (grandparent != null) {
        parents.put(at, grandparent); // Halves the path, so that chains stay short.
      }
      at = parent;
      parent = grandparent;
    }
    return at;
  }
}
