package dev.tributary.ops;

import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.tensor.Shape;

/**
 * As {@link Accumulator}, for gradients in slices. Rows are added up by their index, and the mean
 * of a row is over the gradients that have it. Immutable; made by {@link AccumulatorOps}.
 */
public final class SparseAccumulator {
  private final Scope scope;
  private final Output handle;
  private final AccumulatorOptions options;

  SparseAccumulator(Scope scope, Output handle, AccumulatorOptions options) {
    this.scope = scope;
    this.handle = handle;
    this.options = options;
  }

  /** The same accumulator, used in another scope. */
  public SparseAccumulator in(Ops tf) {
    return new SparseAccumulator(tf.scope(), handle, options);
  }

  public Output handle() {
    return handle;
  }

  /**
   * Adds a gradient that was computed at {@code localStep}, an int64, unless that is over. Indices
   * are int64.
   */
  public Operation applyGradient(Operand indices, Operand values, Operand localStep) {
    Output unknownShape = new Ops(scope.withoutName()).constant(new long[0]);
    return scope
        .operation("SparseAccumulatorApplyGradient")
        .input(handle)
        .input(localStep)
        .input(indices)
        .input(values)
        .input(unknownShape)
        .attr("has_known_shape", false)
        .build();
  }

  /**
   * Waits for {@code required} gradients, gives what has been added by then, with ascending
   * indices, and begins the next global step.
   */
  public IndexedSlices takeGradient(int required) {
    return takeGradient(new Ops(scope.withoutName()).constant(required));
  }

  /** As {@link #takeGradient(int)}. */
  public IndexedSlices takeGradient(Operand required) {
    Shape dense = options.shape();
    Operation take =
        scope
            .operation("SparseAccumulatorTakeGradient")
            .input(handle)
            .input(required)
            .attr("dtype", options.type())
            .outputShape(1, dense.rank() > 0 ? dense.withSize(0, Shape.UNKNOWN) : Shape.unknown())
            .build();
    return new IndexedSlices(take.output(1), take.output(0), take.output(2));
  }

  /** Returns how many gradients have been added since the last were taken, as an int32. */
  public Output accumulated() {
    return scope.operation("AccumulatorNumAccumulated").input(handle).buildOutput();
  }

  /** Drops gradients of steps before this one, an int64, from now on. */
  public Operation setGlobalStep(Operand step) {
    return scope.operation("AccumulatorSetGlobalStep").input(handle).input(step).build();
  }
}
