package dev.tributary.train.model;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.train.variable.VariableScope;
import java.util.List;

/**
 * Attention with several heads: for each step of {@code [n, time, features]}, a head mixes the
 * values of all steps by how well their keys fit its query. The result has the shape of the inputs.
 * Variables: {@code kernel} and {@code bias} in the scopes {@code query}, {@code key}, {@code
 * value} and {@code output}.
 *
 * @param keySize the size of a head's queries, keys and values
 * @param causal whether a step sees only itself and those before it
 */
public record MultiHeadAttention(int heads, int keySize, boolean causal) implements Layer {
  /** Stands for minus infinity, and can be added without becoming NaN. */
  private static final double UNSEEN = -1e9;

  /** Each step sees all of them. */
  public static MultiHeadAttention of(int heads, int keySize) {
    return new MultiHeadAttention(heads, keySize, false);
  }

  /** A step sees only itself and those before it. */
  public MultiHeadAttention withCausality() {
    return new MultiHeadAttention(heads, keySize, true);
  }

  @Override
  public Output apply(VariableScope scope, Operand inputs) {
    int features =
        Math.toIntExact(LayerInputs.ofSequences("MultiHeadAttention", inputs.asOutput()));
    Ops tf = scope.tf();
    List<Output> sizes = tf.unstack(tf.shape(inputs), 0);
    Output query = ofHeads(scope.open("query"), inputs, sizes);
    Output key = ofHeads(scope.open("key"), inputs, sizes);
    Output value = ofHeads(scope.open("value"), inputs, sizes);
    Output scores = tf.math.scale(tf.linalg.batchMatMul(query, key, false, true), scale());
    if (causal) {
      scores = tf.add(scores, unseen(tf, sizes.get(1), scores.type()));
    }
    Output mixed = tf.linalg.batchMatMul(tf.softmax(scores), value);
    Output joined =
        tf.reshape(
            tf.transpose(mixed, 0, 2, 1, 3),
            tf.stack(sizes.get(0), sizes.get(1), tf.constant(heads * keySize)));
    return Dense.of(features).apply(scope.open("output"), joined);
  }

  private double scale() {
    return 1 / Math.sqrt(keySize);
  }

  /** A projection of the inputs, {@code [n, heads, time, keySize]}. */
  private Output ofHeads(VariableScope scope, Operand inputs, List<Output> sizes) {
    Ops tf = scope.tf();
    Output projected = Dense.of(heads * keySize).apply(scope, inputs);
    Output shape = tf.stack(sizes.get(0), sizes.get(1), tf.constant(heads), tf.constant(keySize));
    return tf.transpose(tf.reshape(projected, shape), 0, 2, 1, 3);
  }

  /** A matrix that is added to scores: zero up to the diagonal. */
  private static Output unseen(Ops tf, Output time, DataType type) {
    Output all = tf.fill(tf.stack(time, time), tf.cast(tf.constant((float) UNSEEN), type));
    Output seen = tf.linalg.bandPart(all, tf.constant(-1L), tf.constant(0L));
    return tf.sub(all, seen);
  }
}
