package dev.tributary.gradients;

import dev.tributary.graph.FlowContext;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.flow.Recall;
import dev.tributary.internal.flow.WhileContext;
import dev.tributary.internal.gradient.Dense;
import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.tensor.Tensor;
import java.util.Optional;

/**
 * Lets the gradient of a context see the context's values. What came from outside is taken from
 * outside again, constants are made again, and the rest is used as it is, or brought back from the
 * history of the loop around.
 */
final class ForwardValues implements Recall {
  private final FlowContext forward;
  private final Optional<LoopHistory> history;

  /**
   * @param history that of the innermost loop around or at {@code forward}; empty if there is no
   *     loop
   */
  ForwardValues(FlowContext forward, Optional<LoopHistory> history) {
    this.forward = forward;
    this.history = history;
  }

  @Override
  public Optional<Output> recall(Output value, Scope inside, String consumer) {
    Operation operation = value.operation();
    if (operation.flowContext().filter(c -> c == forward).isEmpty()) {
      return Optional.empty();
    }
    if (cameFromOutside(value)) {
      return Optional.of(inside.flowContext().get().capture(operation.input(0), consumer));
    }
    if (history.isEmpty()) {
      return Optional.of(value);
    }
    if (operation.declaration().has(OpFlag.CONSTANT)) {
      Tensor constant = operation.attributes().tensor("value");
      return Optional.of(Dense.constant(inside, constant.retain()));
    }
    return Optional.of(history.get().recall(value, inside));
  }

  /**
   * The history of the loop whose gradient is computed in this context or the nearest loop around
   * it.
   */
  static Optional<LoopHistory> historyAround(Optional<FlowContext> backward) {
    Optional<FlowContext> context = backward;
    while (context.isPresent() && !(context.get() instanceof WhileContext)) {
      context = context.get().outer();
    }
    return context
        .flatMap(loop -> ((WhileContext) loop).recall())
        .filter(ForwardValues.class::isInstance)
        .flatMap(recall -> ((ForwardValues) recall).history);
  }

  private boolean cameFromOutside(Output value) {
    if (forward instanceof WhileContext) {
      return ((WhileContext) forward).isConstant(value);
    }
    Operation operation = value.operation();
    return operation.declaration().flow() == FlowKind.SWITCH
        && operation.input(0).operation().flowContext().equals(forward.outer());
  }
}
