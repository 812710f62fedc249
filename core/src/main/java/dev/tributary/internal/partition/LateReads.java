package dev.tributary.internal.partition;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepNode.Source;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes nodes read variables of other parts as late as they would read their own. A node takes the
 * value of a variable when all its other inputs are there, and so sees assignments that one of them
 * waited for. If the variable is elsewhere, an Identity beside the variable does the reading, and
 * waits for those other inputs. It reads for one node only.
 */
final class LateReads {
  private LateReads() {}

  static void addTo(StepGraph graph, Cut cut, AddedNodes added) {
    Map<StepNode, List<StepNode>> reads = new IdentityHashMap<>();
    for (StepNode node : graph.nodes()) {
      List<Source> inputs = List.copyOf(node.inputs());
      for (int i = 0; i < inputs.size(); i++) {
        Source input = inputs.get(i);
        if (input.isRef() && cut.isBetween(input.node(), node)) {
          requireRead(node, i, input);
          StepNode read = added.identity(input);
          read.controlInputs().addAll(awaitedBeside(input, node, inputs));
          reads.computeIfAbsent(node, key -> new ArrayList<>()).add(read);
          node.inputs().set(i, new Source(read, 0));
        }
      }
    }
    graph.insertBefore(reads);
  }

  private static void requireRead(StepNode node, int i, Source input) {
    if (node.isRefInput(i)) {
      throw TributaryException.invalidArgument(
          "%s on %s needs the variable %s itself, which is on %s",
          node, node.device(), input, input.node().device());
    }
  }

  /**
   * The other nodes that the node waits for. A Merge waits for none of its inputs in particular,
   * and what has no inputs itself is there from the beginning.
   */
  private static Set<StepNode> awaitedBeside(Source variable, StepNode node, List<Source> inputs) {
    Set<StepNode> awaited = new LinkedHashSet<>(node.controlInputs());
    if (node.declaration().flow() != FlowKind.MERGE) {
      inputs.forEach(input -> awaited.add(input.node()));
    }
    awaited.removeIf(other -> other.inputs().isEmpty() && other.controlInputs().isEmpty());
    awaited.remove(variable.node());
    return awaited;
  }
}
