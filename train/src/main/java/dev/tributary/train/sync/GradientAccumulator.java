package dev.tributary.train.sync;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Accumulator;
import dev.tributary.ops.AccumulatorOptions;
import dev.tributary.ops.Ops;
import dev.tributary.ops.SparseAccumulator;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;

/**
 * Gathers the gradients of one variable from all workers, beside the variable.
 *
 * @param add adds this worker's gradient, unless its step is over
 * @param mean waits for enough gradients, and takes their mean
 * @param setStep drops gradients of earlier steps from now on
 * @param count how many gradients have been added and not taken
 */
record GradientAccumulator(Operation add, GradientValue mean, Operation setStep, Output count) {
  /**
   * @param tf beside the variable
   * @param taking beside the variable too, where gradients are taken
   * @param required how many gradients make a step
   */
  static GradientAccumulator of(
      Ops tf, Ops taking, Variable variable, GradientValue gradient, Steps steps, Output required) {
    // Workers find each other's accumulators by this name, which is TensorFlow's.
    String sharedName = variable.handle().name() + "/grad_accum";
    if (gradient instanceof IndexedSlices) {
      IndexedSlices slices = (IndexedSlices) gradient;
      SparseAccumulator sparse =
          tf.accumulators.sparseConditionalAccumulator(
              AccumulatorOptions.of(variable.type(), Shape.unknown()).withSharedName(sharedName));
      Output indices = tf.cast(slices.indices(), DataType.INT64);
      return new GradientAccumulator(
          sparse.in(tf).applyGradient(indices, slices.values(), steps.local),
          sparse.in(taking).takeGradient(required),
          sparse.in(tf).setGlobalStep(steps.global),
          sparse.in(tf).accumulated());
    }
    Accumulator dense =
        tf.accumulators.conditionalAccumulator(
            AccumulatorOptions.of(variable.type(), variable.shape()).withSharedName(sharedName));
    return new GradientAccumulator(
        dense.in(tf).applyGradient((Output) gradient, steps.local),
        dense.in(taking).takeGradient(required),
        dense.in(tf).setGlobalStep(steps.global),
        dense.in(tf).accumulated());
  }

  /**
   * The counters that decide whether a gradient is late.
   *
   * @param local the step at which this worker read the variables
   * @param global the step of the model
   */
  record Steps(Output local, Output global) {}
}
