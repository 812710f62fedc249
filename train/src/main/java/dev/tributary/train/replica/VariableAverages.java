package dev.tributary.train.replica;

import dev.tributary.graph.Operation;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.train.optimizer.ExponentialMovingAverage;
import java.util.List;

/**
 * Moving averages that go with each update of a model.
 *
 * @param variables those that are averaged
 */
record VariableAverages(ExponentialMovingAverage average, List<Variable> variables) {
  public VariableAverages {
    variables = List.copyOf(variables);
  }

  /** One operation that moves the averages when the variables have been updated. */
  public Operation after(Ops tf, Operation updated) {
    return average.apply(tf.withControlDependencies(updated), variables);
  }
}
