package dev.tributary.internal.gradient;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Scope;
import dev.tributary.internal.op.Gradient;
import dev.tributary.internal.op.OpDeclaration;
import java.util.List;
import java.util.Optional;

/**
 * Adds the operations that carry gradients from an operation's outputs back to its inputs.
 *
 * <p>{@code outputs} has one entry an output; where nothing flows into an output of a
 * differentiable type it is zeros. The result has one entry an input.
 */
@FunctionalInterface
public interface GradientRule extends Gradient {
  List<? extends GradientValue> apply(
      Scope scope, Operation operation, List<? extends GradientValue> outputs);

  /** The rule of a declared op; empty if no gradient flows through it. */
  static Optional<GradientRule> of(OpDeclaration declaration) {
    return declaration.gradient().map(GradientRule.class::cast);
  }
}
