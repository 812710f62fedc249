package dev.tributary.ops;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import java.util.List;

/** The gradients of {@link NnOps} that take more than a line. */
final class NnGradients {
  private NnGradients() {}

  /**
   * The second gradient of Elu and Selu by their output, which counts only where it is negative.
   */
  static Output whereNegative(Ops tf, Operation op, Output dy) {
    Output zeros = tf.zerosLike(op.input(1));
    return tf.where(tf.less(op.input(1), zeros), tf.mul(dy, op.input(0)), zeros);
  }

  static List<Output> softplusGrad(Ops tf, Operation op, Output ddy) {
    Output x = op.input(1);
    Output slope = tf.math.sigmoidGrad(tf.sigmoid(x), tf.mul(ddy, op.input(0)));
    return List.of(tf.nn.softplusGrad(ddy, x), slope);
  }

  static List<Output> softmax(Ops tf, Operation op, Output dy) {
    return List.of(softmax(tf, op.output(0), dy));
  }

  static List<Output> logSoftmax(Ops tf, Operation op, Output dy) {
    Output share = tf.mul(tf.sum(dy, true, -1), tf.exp(op.output(0)));
    return List.of(tf.sub(dy, share));
  }

  /**
   * To the logits also flows what comes from the second output, itself a gradient; to the labels
   * only the loss's.
   */
  static List<GradientValue> crossEntropy(Ops tf, Operation op, List<Output> dy) {
    Output loss = tf.expandDims(dy.get(0), -1);
    Output ofLabels = tf.mul(loss, tf.neg(tf.nn.logSoftmax(op.input(0))));
    return List.of(ofLogits(tf, op, loss, dy.get(1)), ofLabels);
  }

  static List<GradientValue> sparseCrossEntropy(Ops tf, Operation op, List<Output> dy) {
    Output loss = tf.expandDims(dy.get(0), -1);
    return List.of(ofLogits(tf, op, loss, dy.get(1)), GradientValue.none());
  }

  private static Output ofLogits(Ops tf, Operation op, Output loss, Output ofBackprop) {
    Output gradient = tf.mul(loss, op.output(1));
    if (ofBackprop.operation().type().equals("ZerosLike")) {
      return gradient;
    }
    return tf.add(gradient, softmax(tf, tf.softmax(op.input(0)), ofBackprop));
  }

  private static Output softmax(Ops tf, Output softmax, Output dy) {
    return tf.mul(tf.sub(dy, tf.sum(tf.mul(dy, softmax), true, -1)), softmax);
  }
}
