package dev.tributary.ops;

import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import java.util.List;

/** Makes accumulators, in which the gradients of many workers come together. */
public final class AccumulatorOps {
  private final Scope scope;

  AccumulatorOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return AccumulatorDeclarations.declarations();
  }

  /** For dense gradients. */
  public Accumulator conditionalAccumulator(AccumulatorOptions options) {
    return new Accumulator(scope.withoutName(), maker("ConditionalAccumulator", options), options);
  }

  /** For gradients in slices; the shape is that of the dense gradient. */
  public SparseAccumulator sparseConditionalAccumulator(AccumulatorOptions options) {
    return new SparseAccumulator(
        scope.withoutName(), maker("SparseConditionalAccumulator", options), options);
  }

  private Output maker(String op, AccumulatorOptions options) {
    return scope
        .withoutControlDependencies()
        .operation(op)
        .attr("dtype", options.type())
        .attr("shape", options.shape())
        .attr("shared_name", options.sharedName())
        .attr("reduction_type", options.reduction().name())
        .buildOutput();
  }
}
