package dev.tributary.internal.rewrite;

import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.plan.StepNode;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The conditions under which each node of a graph runs. Two nodes with equal conditions, in the
 * same frame, are alive or dead together and wait for the same; nodes with different ones may, too.
 * Confined to one call.
 *
 * <p>A condition is the output of a Switch that was taken, by what decided about it; a Merge; a
 * loop; or a node that may wait for something outside of the graph, such as a value from another
 * device.
 */
final class Liveness {
  /** Nodes under more conditions are taken to be like no other. */
  private static final int MANY = 32;

  private record Taken(StepNode.Source by, int output) {}

  private record Loop(String frame) {}

  private final Map<StepNode, Set<Object>> conditions = new HashMap<>();

  /** Of nodes that come behind all that they wait for, but for the loops' next iterations. */
  Liveness(List<StepNode> sorted) {
    for (StepNode node : sorted) {
      conditions.put(node, conditionsOf(node));
    }
  }

  /** Equal for nodes that are alive together. */
  Object of(StepNode node) {
    return conditions.get(node);
  }

  private Set<Object> conditionsOf(StepNode node) {
    final Set<Object> all = new HashSet<>();
    final FlowKind flow = node.declaration().flow();
    if (flow == FlowKind.MERGE) {
      return mergeConditions(node);
    }
    if (flow == FlowKind.CONTROL_TRIGGER || mayWait(node)) {
      all.add(node);
    }
    for (StepNode.Source input : node.inputs()) {
      add(all, input.node());
      if (input.node().declaration().flow() == FlowKind.SWITCH) {
        all.add(new Taken(input.node().inputs().get(1), input.index()));
      }
    }
    node.controlInputs().forEach(before -> add(all, before));
    return few(all, node);
  }

  /** The values that a loop carries are alive together; other merges are taken to be unlike. */
  private Set<Object> mergeConditions(StepNode merge) {
    final Set<Object> all = new HashSet<>();
    boolean isLoop = false;
    for (StepNode.Source input : merge.inputs()) {
      final StepNode from = input.node();
      if (from.declaration().flow() == FlowKind.ENTER) {
        add(all, from);
        all.add(new Loop(from.attributes().string("frame_name")));
      } else {
        isLoop |= from.declaration().flow() == FlowKind.NEXT_ITERATION;
      }
    }
    if (!isLoop) {
      all.add(merge);
    }
    return few(all, merge);
  }

  /**
   * Returns whether a node may wait for something that happens elsewhere. What comes behind it must
   * not be held up together with what that could depend on.
   */
  private static boolean mayWait(StepNode node) {
    final OpDeclaration op = node.declaration();
    return op.def().isDistributedCommunication()
        || op.def().isStateful()
            && !op.has(OpFlag.READS_STATE)
            && !op.has(OpFlag.RESOURCE_MAKER)
            && !op.has(OpFlag.NEVER_WAITS);
  }

  private void add(Set<Object> all, StepNode input) {
    final Set<Object> known = conditions.get(input);
    all.addAll(known);
  }

  private static Set<Object> few(Set<Object> all, StepNode node) {
    return all.isEmpty()
        ? Collections.emptySet()
        : all.size() > MANY ? Set.of(node) : Collections.unmodifiableSet(all);
  }
}
