package dev.tributary.internal.rewrite;

import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.plan.StepNode;
import java.util.Optional;

/**
 * An op that passes its input on: always, such as Identity; when it has only one, such as AddN; or
 * when it converts to the type that the input already has.
 */
final class PassedValue implements SimplificationRule {
  @Override
  public Optional<StepNode.Source> standIn(StepNode node) {
    return node.inputs().size() == 1 && isPassed(node, node.inputs().get(0))
        ? Optional.of(node.inputs().get(0))
        : Optional.empty();
  }

  private static boolean isPassed(StepNode node, StepNode.Source input) {
    return node.declaration().has(OpFlag.PASSES_SINGLE_INPUT)
        || node.declaration().has(OpFlag.CONVERTS) && input.type() == node.outputTypes().get(0);
  }
}
