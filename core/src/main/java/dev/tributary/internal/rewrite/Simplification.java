package dev.tributary.internal.rewrite;

import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.Substitution;
import java.util.List;
import java.util.Optional;

/**
 * Lets consumers of a node that does nothing take their value from where that node takes it. A node
 * with control inputs stays, since its consumers rely on their order; one that others wait for
 * stays for them. Variables are never read in place of a copy of their value. Confined to one call.
 */
public final class Simplification {
  private static final List<SimplificationRule> RULES =
      List.of(
          new PassedValue(),
          new NeutralElement(),
          new SelfInverse(),
          new UndoneTranspose(),
          new RepeatedReshape());

  private Simplification() {}

  /** Simplifies what it can, and returns the number of nodes that went away. */
  public static int run(StepGraph graph) {
    return run(graph, RULES);
  }

  static int run(StepGraph graph, List<SimplificationRule> rules) {
    int before = graph.nodes().size();
    Substitution substitution = new Substitution();
    for (StepNode node : graph.nodes()) {
      // Sources come first: what stands for an input here is not replaced itself any more.
      node.inputs().replaceAll(substitution::of);
      if (isCandidate(graph, node)) {
        standIn(node, rules)
            .ifPresent(value -> substitution.replace(new StepNode.Source(node, 0), value));
      }
    }
    graph.apply(substitution);
    graph.prune();
    return before - graph.nodes().size();
  }

  private static Optional<StepNode.Source> standIn(StepNode node, List<SimplificationRule> rules) {
    for (SimplificationRule rule : rules) {
      Optional<StepNode.Source> value = rule.standIn(node);
      if (value.isPresent()
          && !value.get().isRef()
          && value.get().node().device().equals(node.device())) {
        return value;
      }
    }
    return Optional.empty();
  }

  private static boolean isCandidate(StepGraph graph, StepNode node) {
    return node.declaration().isPure()
        && node.outputTypes().size() == 1
        && !node.inputs().isEmpty()
        && node.controlInputs().isEmpty()
        && !graph.isRoot(node);
  }
}
