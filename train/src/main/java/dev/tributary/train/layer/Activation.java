package dev.tributary.train.layer;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;

/** What a layer does to its result, element by element. */
@FunctionalInterface
public interface Activation {
  Activation LINEAR = (tf, x) -> x.asOutput();
  Activation RELU = (tf, x) -> tf.nn.relu(x);
  Activation RELU6 = (tf, x) -> tf.nn.relu6(x);
  Activation ELU = (tf, x) -> tf.nn.elu(x);
  Activation SIGMOID = (tf, x) -> tf.math.sigmoid(x);
  Activation TANH = (tf, x) -> tf.math.tanh(x);
  Activation SOFTPLUS = (tf, x) -> tf.nn.softplus(x);
  Activation SOFTMAX = (tf, x) -> tf.nn.softmax(x);

  Output apply(Ops tf, Operand x);
}
