package dev.tributary.train.replica;

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
import dev.tributary.train.optimizer.GradientAndVariable;
import java.util.ArrayList;
import java.util.List;

/**
 * The accumulators of all variables, which gather the gradients of all workers.
 *
 * @param added the operations that add this worker's gradients, unless they are stale
 * @param stepsSet the operations that drop gradients of steps before the global one from now on
 * @param counts the number of gradients in each accumulator
 * @param means the mean gradients that a step of the model takes and applies
 */
record GradientAccumulators(
    List<Operation> added,
    List<Operation> stepsSet,
    List<Output> counts,
    List<GradientAndVariable> means) {
  /**
   * The steps that decide whether a gradient is stale.
   *
   * @param local the global step at which this worker read the variables
   * @param global the step of the model
   */
  record Steps(Output local, Output global) {}

  /** The accumulator of one variable, on the variable's device. */
  private record OfVariable(Operation add, GradientValue mean, Operation setStep, Output count) {}

  /**
   * @param taking the scope of the operations that take gradients
   * @param required the number of gradients that a step waits for
   */
  static GradientAccumulators of(
      Ops tf, Ops taking, List<GradientAndVariable> gradients, Steps steps, Output required) {
    List<Operation> added = new ArrayList<>();
    List<Operation> stepsSet = new ArrayList<>();
    List<Output> counts = new ArrayList<>();
    List<GradientAndVariable> means = new ArrayList<>();
    for (GradientAndVariable pair : gradients) {
      if (!pair.hasGradient()) {
        means.add(pair);
        continue;
      }
      Operation variable = pair.variable().handle().operation();
      OfVariable accumulator =
          accumulator(
              tf.colocatedWith(variable), taking.colocatedWith(variable), pair, steps, required);
      added.add(accumulator.add());
      stepsSet.add(accumulator.setStep());
      counts.add(accumulator.count());
      means.add(pair.withGradient(accumulator.mean()));
    }
    return new GradientAccumulators(
        List.copyOf(added), List.copyOf(stepsSet), List.copyOf(counts), List.copyOf(means));
  }

  private static OfVariable accumulator(
      Ops tf, Ops taking, GradientAndVariable pair, Steps steps, Output required) {
    Variable variable = pair.variable();
    // Workers find each other's accumulators by this name, which is TensorFlow's.
    String sharedName = variable.handle().name() + "/grad_accum";
    if (pair.gradient() instanceof IndexedSlices) {
      IndexedSlices slices = (IndexedSlices) pair.gradient();
      SparseAccumulator sparse =
          tf.queues.sparseConditionalAccumulator(
              AccumulatorOptions.of(variable.type(), Shape.unknown()).withSharedName(sharedName));
      Output indices = tf.cast(slices.indices(), DataType.INT64);
      return new OfVariable(
          sparse.in(tf).applyGradient(indices, slices.values(), steps.local),
          sparse.in(taking).takeGradient(required),
          sparse.in(tf).setGlobalStep(steps.global),
          sparse.in(tf).accumulated());
    }
    Accumulator dense =
        tf.queues.conditionalAccumulator(
            AccumulatorOptions.of(variable.type(), variable.shape()).withSharedName(sharedName));
    return new OfVariable(
        dense.in(tf).applyGradient((Output) pair.gradient(), steps.local),
        dense.in(taking).takeGradient(required),
        dense.in(tf).setGlobalStep(steps.global),
        dense.in(tf).accumulated());
  }
}
