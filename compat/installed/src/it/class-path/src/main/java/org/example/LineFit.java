package org.example;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Feeds;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.optimizer.GradientDescentOptimizer;

/** Fits a line through three points. */
public final class LineFit {
  private LineFit() {}

  /** Returns slope and intercept. */
  public static float[] fit(float[] xs, float[] ys) {
    Ops tf = Ops.create();
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1));
    Output y = tf.placeholder(DataType.FLOAT, Shape.of(-1));
    Variable w = tf.variable("w", 0f);
    Variable b = tf.variable("b", 0f);
    Output loss = tf.mean(tf.square(tf.sub(tf.add(tf.mul(w, x), b), y)));
    Operation train = new GradientDescentOptimizer(0.1).minimize(loss);
    try (Session session = Session.local(tf.graph())) {
      session.run(tf.globalVariablesInitializer());
      for (int i = 0; i < 200; i++) {
        session.run(train, Feeds.of(x, xs).and(y, ys));
      }
      return new float[] {session.fetch(w).floatValue(), session.fetch(b).floatValue()};
    }
  }
}
