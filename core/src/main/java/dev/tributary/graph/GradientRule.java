package dev.tributary.graph;

import java.util.List;

/**
 * Adds the operations that carry gradients from an operation's outputs back to its inputs.
 *
 * <p>{@code outputs} has one entry an output; where nothing flows into an output of a
 * differentiable type it is zeros. The result has one entry an input.
 */
@FunctionalInterface
public interface GradientRule {
  List<? extends GradientValue> apply(
      Scope scope, Operation operation, List<? extends GradientValue> outputs);
}
