package dev.tributary.ops;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;

/**
 * An accumulator of a graph: it adds up gradients that many workers compute for one global step,
 * drops those that were computed for an earlier one, and gives their mean or sum when enough have
 * come. Immutable; made by {@link AccumulatorOps}.
 */
public final class Accumulator {
  private final Scope scope;
  private final Output handle;
  private final AccumulatorOptions options;

  Accumulator(Scope scope, Output handle, AccumulatorOptions options) {
    this.scope = scope;
    this.handle = handle;
    this.options = options;
  }

  /** The same accumulator, used in another scope. */
  public Accumulator in(Ops tf) {
    return new Accumulator(tf.scope(), handle, options);
  }

  public Output handle() {
    return handle;
  }

  /** Adds a gradient that was computed at {@code localStep}, an int64, unless that is over. */
  public Operation applyGradient(Operand gradient, Operand localStep) {
    return scope
        .operation("AccumulatorApplyGradient")
        .input(handle)
        .input(localStep)
        .input(gradient)
        .build();
  }

  /**
   * Waits for {@code required} gradients, gives what has been added by then, and begins the next
   * global step.
   */
  public Output takeGradient(int required) {
    return takeGradient(new Ops(scope.withoutName()).constant(required));
  }

  /** As {@link #takeGradient(int)}. */
  public Output takeGradient(Operand required) {
    return scope
        .operation("AccumulatorTakeGradient")
        .input(handle)
        .input(required)
        .attr("dtype", options.type())
        .outputShape(0, options.shape())
        .buildOutput();
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
