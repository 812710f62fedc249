package dev.tributary.gradients;

import dev.tributary.graph.FlowContext;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.flow.Cond;
import dev.tributary.internal.flow.CondContext;
import dev.tributary.internal.flow.WhileContext;
import dev.tributary.internal.op.FlowKind;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The inside of one context (or of none), seen as parts: conds and loops directly inside are one
 * part each, and what lies outside is no part at all. Confined to one differentiation.
 */
final class Territory {
  private final Optional<FlowContext> context;
  private final Map<Object, Part> parts = new HashMap<>();

  Territory(Optional<FlowContext> context) {
    this.context = context;
  }

  boolean holds(Output value) {
    return value.operation().flowContext().equals(context);
  }

  /** The part that makes a value. */
  Optional<Part> producerOf(Output value) {
    if (!holds(value)) {
      return Optional.empty();
    }
    Operation operation = value.operation();
    FlowKind flow = operation.declaration().flow();
    if (flow == FlowKind.EXIT || flow == FlowKind.MERGE) {
      Optional<FlowContext> from = operation.input(0).operation().flowContext();
      if (from.isPresent() && !from.equals(context)) {
        return Optional.of(whole(from.get()));
      }
    }
    return Optional.of(parts.computeIfAbsent(operation, key -> new OperationPart(operation)));
  }

  private Part whole(FlowContext inner) {
    if (inner instanceof WhileContext) {
      return parts.computeIfAbsent(inner, key -> new LoopPart((WhileContext) inner));
    }
    Cond cond = ((CondContext) inner).cond().get();
    return parts.computeIfAbsent(cond, key -> new CondPart(cond));
  }
}
