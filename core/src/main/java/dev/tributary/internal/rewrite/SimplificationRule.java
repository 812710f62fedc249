package dev.tributary.internal.rewrite;

import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.tensor.Tensor;
import java.util.Optional;

/** Knows a kind of node that another value can stand for. */
@FunctionalInterface
interface SimplificationRule {
  /**
   * The value that a node's only output is equal to in every step, or nothing. A rule may instead
   * let the node take its inputs from further up, where that changes nothing of its output.
   */
  Optional<StepNode.Source> standIn(StepNode node);

  /** The value of a constant that is there in every step. */
  static Optional<Tensor> constant(StepNode.Source source) {
    StepNode node = source.node();
    return node.declaration().has(OpFlag.CONSTANT) && node.controlInputs().isEmpty()
        ? Optional.of(node.attributes().tensor("value"))
        : Optional.empty();
  }
}
