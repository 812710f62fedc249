package dev.tributary.bench.network;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.model.Activation;
import dev.tributary.train.model.Dense;
import dev.tributary.train.model.LayerNormalization;
import dev.tributary.train.model.MultiHeadAttention;
import dev.tributary.train.variable.VariableScope;

/** One block of a transformer: attention, then two dense layers, each on normalized inputs. */
public record TransformerNetwork(int features, int heads, int steps, int batch) {
  public Network inference() {
    return build(false);
  }

  public Network training() {
    return build(true);
  }

  private Network build(boolean training) {
    Ops tf = Ops.create();
    tf.graph().setSeed(1);
    VariableScope scope = VariableScope.of(tf);
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(batch, steps, features));
    Output attended =
        MultiHeadAttention.of(heads, features / heads)
            .apply(scope.open("attention"), normalized(scope.open("norm_1"), x));
    Output sum = tf.add(x, attended);
    Output wide =
        Dense.of(4 * features)
            .withActivation(Activation.RELU)
            .apply(scope.open("wide"), normalized(scope.open("norm_2"), sum));
    Output result = tf.add(sum, Dense.of(features).apply(scope.open("narrow"), wide));
    Output shaped = tf.reshape(result, batch, steps, features);
    return training ? Network.training(tf, x, shaped) : Network.inference(tf, x, shaped);
  }

  private static Output normalized(VariableScope scope, Output x) {
    return LayerNormalization.of().apply(scope, x);
  }
}
