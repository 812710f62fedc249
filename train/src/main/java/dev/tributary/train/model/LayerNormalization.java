package dev.tributary.train.model;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.train.variable.Initializer;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;

/**
 * Brings the elements of each row along the last dimension to mean {@code beta} and deviation
 * {@code gamma}. Variables: {@code gamma}, {@code beta}.
 */
public record LayerNormalization(double epsilon) implements Layer {
  /** With Keras' default: epsilon 0.001. */
  public static LayerNormalization of() {
    return new LayerNormalization(1e-3);
  }

  @Override
  public Output apply(VariableScope scope, Operand inputs) {
    Output x = inputs.asOutput();
    long size = Layer.channels("LayerNormalization", x);
    Output gamma = variable(scope, x, "gamma", size, Initializers.ones());
    Output beta = variable(scope, x, "beta", size, Initializers.zeros());
    Ops tf = scope.tf();
    int last = x.shape().rank() - 1;
    Output centred = tf.sub(x, tf.mean(x, true, last));
    Output variance = tf.mean(tf.square(centred), true, last);
    Output factor = tf.math.rsqrt(tf.math.shift(variance, epsilon));
    return tf.add(tf.mul(tf.mul(centred, factor), gamma), beta);
  }

  private static Output variable(
      VariableScope scope, Output x, String name, long size, Initializer initializer) {
    return scope
        .getVariable(
            VariableSpec.of(name, Shape.of(size)).withType(x.type()).withInitializer(initializer))
        .value();
  }
}
