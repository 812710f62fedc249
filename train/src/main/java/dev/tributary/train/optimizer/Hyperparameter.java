package dev.tributary.train.optimizer;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;

/**
 * A number that an optimizer is given: fixed, and then a constant beside each variable, so that it
 * need not be sent there; or computed in the graph.
 */
@FunctionalInterface
interface Hyperparameter {
  Output value(Ops tf, DataType type);

  static Hyperparameter of(double fixed) {
    return (tf, type) -> tf.constant(type, fixed);
  }

  static Hyperparameter of(Operand computed) {
    return (tf, type) -> tf.cast(computed, type);
  }
}
