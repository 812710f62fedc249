package dev.tributary.examples.model;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Feeds;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.optimizer.GradientDescentOptimizer;

/** Fits a line to three points of {@code y = 2 x + 1}: the program of the README. */
public final class LineFit {
  private LineFit() {}

  public static void main(String[] arguments) {
    Ops tf = Ops.create();
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1)),
        y = tf.placeholder(DataType.FLOAT, Shape.of(-1));
    Variable w = tf.variable("w", 0f), b = tf.variable("b", 0f);
    Output loss = tf.mean(tf.square(tf.sub(tf.add(tf.mul(w, x), b), y)));
    Operation train = new GradientDescentOptimizer(0.1).minimize(loss);
    try (Session session = Session.local(tf.graph())) {
      session.run(tf.globalVariablesInitializer());
      for (int i = 0; i < 200; i++)
        session.run(train, Feeds.of(x, new float[] {0, 1, 2}).and(y, new float[] {1, 3, 5}));
      System.out.printf(
          "%.2f x + %.2f%n",
          session.fetch(w).floatValue(), session.fetch(b).floatValue()); // 2.00 x + 1.00
    }
  }
}
