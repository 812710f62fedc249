package dev.tributary.examples.replication;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.model.Losses;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;

/** The model of both programs: a line through points of {@code y = 2 x + 1}. */
final class Line {
  private Line() {}

  /** The loss of a batch of random points; the variables {@code w} and {@code b} are the line. */
  static Output loss(VariableScope scope) {
    Ops tf = scope.tf();
    Output x = tf.random.uniform(tf.constant(new int[] {64}), DataType.FLOAT);
    Output y = tf.math.shift(tf.math.scale(x, 2), 1);
    Variable w = scope.getVariable("w", Shape.of(1), Initializers.zeros());
    Variable b = scope.getVariable("b", Shape.of(1), Initializers.zeros());
    return Losses.meanSquaredError(y, tf.add(tf.mul(w, x), b));
  }
}
