package dev.tributary.internal.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What holds for a step graph before and after every pass. */
final class WellFormed {
  private WellFormed() {}

  /**
   * Fails unless all edges lead to outputs of nodes in the graph, names are unique, and every cycle
   * goes through a node that begins a loop's next iteration.
   */
  static void require(StepGraph graph) {
    Set<StepNode> nodes = new HashSet<>(graph.nodes());
    assertThat(nodes).as("different nodes").hasSameSizeAs(graph.nodes());
    assertThat(graph.nodes().stream().map(StepNode::name)).doesNotHaveDuplicates();
    for (StepNode node : graph.nodes()) {
      assertThat(node.controlInputs()).as("control inputs of %s", node).isSubsetOf(nodes);
      for (StepNode.Source input : node.inputs()) {
        assertThat(nodes).as("nodes with input %s of %s", input, node).contains(input.node());
        assertThat(input.index()).isBetween(0, input.node().outputTypes().size() - 1);
      }
    }
    assertThat(runnable(graph)).as("nodes that can run").hasSameSizeAs(nodes);
  }

  private static Set<StepNode> runnable(StepGraph graph) {
    Map<StepNode, List<StepNode>> consumers = graph.consumers();
    Map<StepNode, Integer> awaited = new HashMap<>();
    Deque<StepNode> ready = new ArrayDeque<>();
    for (StepNode node : graph.nodes()) {
      int inputs = node.inputs().size() + node.controlInputs().size();
      boolean begins = node.declaration().flow() == FlowKind.NEXT_ITERATION || inputs == 0;
      awaited.put(node, begins ? 0 : inputs);
      if (begins) {
        ready.add(node);
      }
    }
    Set<StepNode> done = new HashSet<>();
    while (!ready.isEmpty()) {
      StepNode node = ready.remove();
      done.add(node);
      for (StepNode next : consumers.getOrDefault(node, new ArrayList<>())) {
        if (awaited.merge(next, -1, Integer::sum) == 0) {
          ready.add(next);
        }
      }
    }
    return done;
  }
}
