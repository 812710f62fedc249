package dev.tributary.examples.model;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import dev.tributary.ops.Variable;
import dev.tributary.session.Feeds;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.optimizer.AdamOptimizer;
import java.util.Arrays;

/** Reads written digits with a convolution, a pooling and a dense layer, all from plain ops. */
public final class DigitsConv {
  private static final int STEPS = 300;
  private static final int BATCH = 100;

  private DigitsConv() {}

  public static void main(String[] arguments) {
    LabelledRows digits = LabelledRows.digits();
    LabelledRows training = digits.everyNth(5, true);
    LabelledRows test = digits.everyNth(5, false);

    Ops tf = Ops.create();
    tf.graph().setSeed(1);
    Output pixels = tf.placeholder(DataType.FLOAT, Shape.of(-1, 64));
    Output labels = tf.placeholder(DataType.INT32, Shape.of(-1));

    Variable filter = tf.variable("filter", noise(tf, 0.2, 3, 3, 1, 16));
    Variable bias = tf.variable("bias", new float[16]);
    Variable weights = tf.variable("weights", noise(tf, 0.05, 4 * 4 * 16, 10));
    Variable offsets = tf.variable("offsets", new float[10]);
    Output images = tf.reshape(pixels, -1, 8, 8, 1);
    Output features = tf.relu(tf.biasAdd(tf.conv2d(images, filter, 1, Padding.SAME), bias));
    Output pooled = tf.maxPool(features, 2, 2, Padding.SAME);
    Output logits = tf.add(tf.matMul(tf.reshape(pooled, -1, 4 * 4 * 16), weights), offsets);

    Output loss = tf.mean(tf.nn.sparseSoftmaxCrossEntropyWithLogits(labels, logits));
    Operation train = new AdamOptimizer(0.005).minimize(loss);
    Output right = tf.equal(tf.cast(tf.argMax(logits, 1), DataType.INT32), labels);
    Output accuracy = tf.mean(tf.cast(right, DataType.FLOAT));

    try (Session session = Session.local(tf.graph())) {
      session.run(tf.globalVariablesInitializer());
      for (int step = 0; step < STEPS; step++) {
        int from = step * BATCH % (training.labels().length - BATCH);
        float[][] batch = Arrays.copyOfRange(training.features(), from, from + BATCH);
        int[] classes = Arrays.copyOfRange(training.labels(), from, from + BATCH);
        session.run(train, Feeds.of(pixels, batch).and(labels, classes));
      }
      Feeds unseen = Feeds.of(pixels, test.features()).and(labels, test.labels());
      System.out.printf("accuracy %.2f%n", session.fetch(accuracy, unseen).floatValue());
    }
  }

  private static Output noise(Ops tf, double deviation, int... sizes) {
    return tf.math.scale(tf.random.normal(tf.constant(sizes), DataType.FLOAT), deviation);
  }
}
