package dev.tributary.train.model;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;

/** A function that a layer applies to each element of its result. */
@FunctionalInterface
public interface Activation {
  Activation LINEAR = (tf, x) -> x.asOutput();
  Activation RELU = (tf, x) -> tf.relu(x);
  Activation RELU6 = (tf, x) -> tf.nn.relu6(x);
  Activation ELU = (tf, x) -> tf.nn.elu(x);
  Activation SIGMOID = (tf, x) -> tf.sigmoid(x);
  Activation TANH = (tf, x) -> tf.tanh(x);
  Activation SOFTPLUS = (tf, x) -> tf.nn.softplus(x);
  Activation SOFTMAX = (tf, x) -> tf.softmax(x);

  Output apply(Ops tf, Operand x);
}
