package dev.tributary.internal.rewrite;

import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.tensor.Tensor;
import java.util.Optional;

/**
 * {@code x * 1}, {@code x + 0}, {@code x - 0} and {@code x / 1}, where the constant is a scalar, so
 * that it cannot broaden x. Of two zeros, {@code -0.0 + 0} would be the positive one; here the
 * negative stays.
 */
final class NeutralElement implements SimplificationRule {
  @Override
  public Optional<StepNode.Source> standIn(StepNode node) {
    if (isNeutral(node, 1, OpFlag.ZERO_ON_THE_RIGHT_KEEPS, 0)
        || isNeutral(node, 1, OpFlag.ONE_ON_THE_RIGHT_KEEPS, 1)) {
      return Optional.of(node.inputs().get(0));
    }
    if (isNeutral(node, 0, OpFlag.ZERO_ON_THE_LEFT_KEEPS, 0)
        || isNeutral(node, 0, OpFlag.ONE_ON_THE_LEFT_KEEPS, 1)) {
      return Optional.of(node.inputs().get(1));
    }
    return Optional.empty();
  }

  private static boolean isNeutral(StepNode node, int input, OpFlag flag, int neutral) {
    return node.declaration().has(flag)
        && SimplificationRule.constant(node.inputs().get(input))
            .filter(value -> isScalar(value, neutral))
            .isPresent();
  }

  private static boolean isScalar(Tensor value, int number) {
    if (value.rank() != 0) {
      return false;
    }
    switch (value.type()) {
      case FLOAT:
        return value.floatValue() == number;
      case DOUBLE:
        return value.doubleValue() == number;
      case INT32:
        return value.intValue() == number;
      case INT64:
        return value.longValue() == number;
      default:
        return false;
    }
  }
}
