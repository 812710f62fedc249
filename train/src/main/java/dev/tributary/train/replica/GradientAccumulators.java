package dev.tributary.train.replica;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.train.optimizer.GradientAndVariable;
import java.util.ArrayList;
import java.util.List;

/**
 * The accumulators of all variables.
 *
 * @param added this worker's gradients are in their accumulators
 * @param stepsSet gradients of earlier steps are dropped from now on
 * @param counts how many gradients each accumulator has
 * @param means what a step of the model applies
 */
record GradientAccumulators(
    List<Operation> added,
    List<Operation> stepsSet,
    List<Output> counts,
    List<GradientAndVariable> means) {
  /**
   * @param taking where gradients are taken
   * @param required how many gradients make a step
   */
  static GradientAccumulators of(
      Ops tf,
      Ops taking,
      List<GradientAndVariable> gradients,
      GradientAccumulator.Steps steps,
      Output required) {
    List<Operation> added = new ArrayList<>();
    List<Operation> stepsSet = new ArrayList<>();
    List<Output> counts = new ArrayList<>();
    List<GradientAndVariable> means = new ArrayList<>();
    for (GradientAndVariable pair : gradients) {
      if (!pair.hasGradient()) {
        means.add(pair);
        continue;
      }
      Variable variable = pair.variable();
      GradientAccumulator accumulator =
          GradientAccumulator.of(
              tf.colocatedWith(variable.handle().operation()),
              taking.colocatedWith(variable.handle().operation()),
              variable,
              pair.gradient(),
              steps,
              required);
      added.add(accumulator.add());
      stepsSet.add(accumulator.setStep());
      counts.add(accumulator.count());
      means.add(pair.withGradient(accumulator.mean()));
    }
    return new GradientAccumulators(
        List.copyOf(added), List.copyOf(stepsSet), List.copyOf(counts), List.copyOf(means));
  }
}
