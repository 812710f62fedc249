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
    return PreparedGraph.computing(options, List.of(x), append(tf, x, x, length));
  }

  /** The end of a chain that begins at y. */
  static Output append(Ops tf, Output y, Output x, int length) {
    Output end = y;
    for (int i = 0; i < length; i++) {
      end = i % 2 == 0 ? tf.mul(end, x) : tf.add(end, x);
    }
    return end;
  }

  /** The result of a chain that begins at y. */
  static float value(float y, float x, int length) {
    float end = y;
    for (int i = 0; i < length; i++) {
      end = i % 2 == 0 ? end * x : end + x;
    }
    return end;
  }
}
