package dev.tributary.train.model;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.train.variable.VariableScope;

/**
 * In training, sets each element to zero with probability {@code rate} and scales the others up, so
 * that sums stay as they are on average. Otherwise passes its inputs on.
 */
public record Dropout(double rate, boolean training) implements Layer {
  public Dropout {
    if (!(rate >= 0 && rate < 1)) {
      throw TributaryException.invalidArgument(
          "Dropout: the rate must be at least 0 and below 1, got %s", rate);
    }
  }

  @Override
  public Output apply(VariableScope scope, Operand inputs) {
    if (!training || rate == 0) {
      return inputs.asOutput();
    }
    Ops tf = scope.tf().withSubScope("dropout");
    Output chance = tf.random.uniform(tf.shape(inputs), inputs.asOutput().type());
    Output kept =
        tf.cast(
            tf.greaterEqual(chance, tf.constant(inputs.asOutput().type(), rate)),
            inputs.asOutput().type());
    return tf.mul(tf.math.scale(inputs, 1 / (1 - rate)), kept);
  }
}
