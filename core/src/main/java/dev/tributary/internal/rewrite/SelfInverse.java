package dev.tributary.internal.rewrite;

import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.plan.StepNode;
import java.util.Optional;

/** {@code -(-x)}, and others that undo themselves. */
final class SelfInverse implements SimplificationRule {
  @Override
  public Optional<StepNode.Source> standIn(StepNode node) {
    if (!node.declaration().has(OpFlag.UNDOES_ITSELF)) {
      return Optional.empty();
    }
    StepNode inner = node.inputs().get(0).node();
    return inner.declaration() == node.declaration() && inner.controlInputs().isEmpty()
        ? Optional.of(inner.inputs().get(0))
        : Optional.empty();
  }
}
