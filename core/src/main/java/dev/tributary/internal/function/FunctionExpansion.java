package dev.tributary.internal.function;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import java.util.List;
import java.util.Set;

/**
 * Replaces the calls of functions in step graphs by what the functions do. The names of the nodes
 * depend on the call and the function only, not on the step, so that a node of a body is the same
 * one in all steps of a session: it can have a place and a state of its own.
 */
public final class FunctionExpansion {
  private static final Set<OpFlag> EXPANDED =
      Set.of(
          OpFlag.NATIVE_CALL,
          OpFlag.CALLS_FUNCTION,
          OpFlag.CALLS_ONE_OF_TWO,
          OpFlag.CALLS_ONE_OF_MANY,
          OpFlag.CALLS_IN_LOOP,
          OpFlag.CALLS_IN_COUNTED_LOOP,
          OpFlag.DIFFERENTIATES_FUNCTION);

  private FunctionExpansion() {}

  /** The whole graph of these operations, expanded: what a master places. */
  public static StepGraph whole(Graph graph, List<Operation> operations) {
    StepGraph whole = StepGraph.whole(operations);
    expand(whole, graph);
    return whole;
  }

  /**
   * Expands all calls, those in the bodies of functions too, and drops what no root needs. Returns
   * whether there were any.
   *
   * @param graph has the functions
   */
  public static boolean expand(StepGraph step, Graph graph) {
    for (StepNode node : step.nodes()) {
      if (isExpanded(node)) {
        new Expander(step, graph).run();
        return true;
      }
    }
    return false;
  }

  static boolean isExpanded(StepNode node) {
    Set<OpFlag> flags = node.declaration().flags();
    if (flags.isEmpty()) {
      return false;
    }
    for (OpFlag flag : EXPANDED) {
      if (flags.contains(flag)) {
        return true;
      }
    }
    return isCallOfKnownPlace(node);
  }

  /** Of calls elsewhere, those are expanded whose place is known before the step runs. */
  private static boolean isCallOfKnownPlace(StepNode node) {
    return node.declaration().has(OpFlag.CALLS_ELSEWHERE)
        && node.inputs().get(0).node().declaration().has(OpFlag.CONSTANT);
  }
}
