package dev.tributary.gradients;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.gradient.Dense;
import dev.tributary.internal.gradient.GradientRule;
import dev.tributary.internal.op.OpFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** A single operation; its op's declaration knows the gradient. */
record OperationPart(Operation operation) implements Part {
  @Override
  public List<Output> inputs() {
    return operation.inputs();
  }

  @Override
  public List<Output> outputs() {
    return operation.outputs();
  }

  @Override
  public List<? extends GradientValue> differentiate(
      Scope scope, List<GradientValue> flows, Predicate<Output> wanted) {
    Optional<GradientRule> rule = GradientRule.of(operation.declaration());
    if (rule.isEmpty() || operation.inputs().isEmpty()) {
      return List.of();
    }
    Scope inner =
        scope.withSubScope(
            operation.name().substring(operation.name().lastIndexOf('/') + 1) + "_grad");
    List<GradientValue> taken = new ArrayList<>(flows);
    if (!operation.declaration().has(OpFlag.PASSES_SLICES)) {
      for (int i = 0; i < taken.size(); i++) {
        taken.set(i, Dense.orZeros(inner, taken.get(i), operation.output(i)));
      }
    }
    List<? extends GradientValue> shares = rule.get().apply(inner, operation, taken);
    if (shares.size() != operation.inputs().size()) {
      throw TributaryException.internal(
          "the gradient of %s gave %d values for %d inputs",
          operation, shares.size(), operation.inputs().size());
    }
    return shares;
  }
}
