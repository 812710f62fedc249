package dev.tributary.bench.network;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.model.Lstm;
import dev.tributary.train.variable.VariableScope;

/** A long short-term memory over sequences with as many features as units. */
public record LstmNetwork(int units, int steps, int batch) {
  public Network inference() {
    return build(false);
  }

  public Network training() {
    return build(true);
  }

  private Network build(boolean training) {
    Ops tf = Ops.create();
    tf.graph().setSeed(1);
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(batch, steps, units));
    Output last = Lstm.of(units).apply(VariableScope.of(tf).open("lstm"), x);
    Output result = tf.reshape(last, batch, units);
    return training ? Network.training(tf, x, result) : Network.inference(tf, x, result);
  }
}
