package dev.tributary.examples.model;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Feeds;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.model.Activation;
import dev.tributary.train.model.Dense;
import dev.tributary.train.model.Losses;
import dev.tributary.train.optimizer.AdamOptimizer;
import dev.tributary.train.variable.VariableScope;

/** Tells three kinds of iris flowers apart with a net of two dense layers. */
public final class IrisDense {
  private static final int STEPS = 300;

  private IrisDense() {}

  public static void main(String[] arguments) {
    LabelledRows iris = LabelledRows.iris();
    LabelledRows training = iris.everyNth(5, true);
    LabelledRows test = iris.everyNth(5, false);

    Ops tf = Ops.create();
    tf.graph().setSeed(1);
    Output features = tf.placeholder(DataType.FLOAT, Shape.of(-1, 4));
    Output labels = tf.placeholder(DataType.INT32, Shape.of(-1));

    VariableScope scope = VariableScope.of(tf);
    Output hidden =
        Dense.of(16).withActivation(Activation.RELU).apply(scope.open("hidden"), features);
    Output logits = Dense.of(3).apply(scope.open("logits"), hidden);
    Output loss = Losses.sparseSoftmaxCrossEntropy(labels, logits);
    Operation train = new AdamOptimizer(0.02).minimize(loss);
    Output right = tf.equal(tf.cast(tf.argMax(logits, 1), DataType.INT32), labels);
    Output accuracy = tf.mean(tf.cast(right, DataType.FLOAT));

    try (Session session = Session.local(tf.graph())) {
      session.run(tf.globalVariablesInitializer());
      Feeds batch = Feeds.of(features, training.features()).and(labels, training.labels());
      for (int step = 1; step <= STEPS; step++) {
        session.run(train, batch);
        if (step % 100 == 0) {
          System.out.printf("step %d, loss %.3f%n", step, session.fetch(loss, batch).floatValue());
        }
      }
      Feeds unseen = Feeds.of(features, test.features()).and(labels, test.labels());
      System.out.printf("accuracy %.2f%n", session.fetch(accuracy, unseen).floatValue());
    }
  }
}
