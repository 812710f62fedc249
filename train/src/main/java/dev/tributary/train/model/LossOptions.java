package dev.tributary.train.model;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import java.util.Optional;

/**
 * Options of a loss. Immutable.
 *
 * @param weights multiplies the loss of each element; a scalar, or of a shape that broadcasts to
 *     the losses
 * @param reduction the way in which the losses of a batch become one
 * @param labelSmoothing the share by which labels of cross entropies move towards equal
 *     probabilities
 * @param scope the names, devices and control dependencies of the operations; if empty, they are on
 *     the device of the predictions
 */
public record LossOptions(
    Optional<Output> weights, Reduction reduction, double labelSmoothing, Optional<Ops> scope) {
  private static final LossOptions DEFAULTS =
      new LossOptions(Optional.empty(), Reduction.SUM_BY_NONZERO_WEIGHTS, 0, Optional.empty());

  /** The ways in which the losses of a batch become one, as in TensorFlow 1. */
  public enum Reduction {
    /** The weighted losses as they are. */
    NONE,
    /** The sum of the weighted losses. */
    SUM,
    /** The sum, divided by the sum of the weights. */
    MEAN,
    /** The sum, divided by the number of elements. */
    SUM_OVER_BATCH_SIZE,
    /** The sum, divided by the number of elements whose weight is not zero; the default. */
    SUM_BY_NONZERO_WEIGHTS
  }

  /** Returns options without weights or smoothing. */
  public static LossOptions defaults() {
    return DEFAULTS;
  }

  public LossOptions withWeights(Operand newWeights) {
    return new LossOptions(Optional.of(newWeights.asOutput()), reduction, labelSmoothing, scope);
  }

  public LossOptions withReduction(Reduction newReduction) {
    return new LossOptions(weights, newReduction, labelSmoothing, scope);
  }

  public LossOptions withLabelSmoothing(double share) {
    return new LossOptions(weights, reduction, share, scope);
  }

  public LossOptions withScope(Ops tf) {
    return new LossOptions(weights, reduction, labelSmoothing, Optional.of(tf));
  }

  /** Returns the scope of a loss of predictions. */
  Ops scopeOf(Output predictions, String name) {
    Ops tf =
        scope.orElseGet(
            () ->
                new Ops(
                    predictions
                        .graph()
                        .scope()
                        .withDevice(predictions.operation().device().toString())));
    return tf.withSubScope(name);
  }
}
