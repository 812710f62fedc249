package dev.tributary.bench;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.SessionOptions;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;

/** A chain of tiny ops: y = x, then y * x and y + x in turn, on scalars. */
public final class OpChain {
  private OpChain() {}

  /** A chain of this many ops, ready to run; feeds x and fetches the last y. */
  public static PreparedGraph prepare(int length, SessionOptions options) {
    Ops tf = Ops.create();
    Output x = tf.placeholder(DataType.FLOAT, Shape.scalar());
    Output y = x;
    for (int i = 0; i < length; i++) {
      y = i % 2 == 0 ? tf.math.mul(y, x) : tf.math.add(y, x);
    }
    return PreparedGraph.computing(options, List.of(x), y);
  }
}
