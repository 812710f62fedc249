package dev.tributary.ops;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.kernel.nn.ChannelShapes;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The gradient of batch normalisation's gradient, by dy, x and scale.
 *
 * <p>With n = (x - mean) r, r = 1 / sqrt(variance + epsilon), and the projection P(v) = v - mean(v)
 * - n mean(v n), the first gradients in training are dx = scale r P(dy), dscale = sum(dy n),
 * doffset = sum(dy). P is symmetric, and n changes with x by r P. For given statistics P(v) is v.
 * As in stock TensorFlow, statistics in training are those of x, whatever was saved of them.
 */
final class BatchNormSecondGradient {
  private final Ops tf;
  private final int[] axes;
  private final boolean training;
  private final Output dy;
  private final Output x;
  private final Output scale;
  private final Output reciprocal;
  private final Output normal;

  private BatchNormSecondGradient(Ops tf, Operation op) {
    this.tf = tf;
    String format = op.attributes().string("data_format");
    int rank = format.length();
    int channels = ChannelShapes.dimension(format, rank);
    this.axes = IntStream.range(0, rank).filter(i -> i != channels).toArray();
    this.training = op.attributes().bool("is_training");
    this.dy = wide(op.input(0));
    this.x = wide(op.input(1));
    this.scale = broad(op.input(2));
    Output mean = training ? mean(x) : broad(op.input(3));
    Output centred = tf.sub(x, mean);
    Output variance = training ? mean(tf.square(centred)) : broad(op.input(4));
    this.reciprocal = tf.math.rsqrt(tf.math.shift(variance, op.attributes().real("epsilon")));
    this.normal = tf.mul(centred, reciprocal);
  }

  /**
   * One value for each input of the gradient op.
   *
   * @param flows the gradients of the gradients by x, scale and offset
   */
  static List<GradientValue> of(Ops tf, Operation op, List<Output> flows) {
    return new BatchNormSecondGradient(tf, op).build(op, flows);
  }

  private List<GradientValue> build(Operation op, List<Output> flows) {
    Output ofX = wide(flows.get(0));
    Output ofScale = broad(flows.get(1));
    Output ofOffset = broad(flows.get(2));
    Output factor = tf.mul(scale, reciprocal);
    Output byDy = tf.add(tf.mul(factor, projected(ofX)), tf.add(tf.mul(ofScale, normal), ofOffset));
    Output alike = tf.mul(ofX, projected(dy));
    Output byScale = tf.sum(tf.mul(reciprocal, alike), axes);
    Output onNormal = tf.mul(ofScale, dy);
    if (training) {
      Output pull =
          tf.add(tf.mul(mean(tf.mul(dy, normal)), ofX), tf.mul(mean(tf.mul(ofX, normal)), dy));
      onNormal = tf.sub(onNormal, tf.mul(factor, pull));
    }
    Output byX = tf.mul(reciprocal, projected(onNormal));
    if (training) {
      Output onReciprocal = tf.mul(tf.mul(factor, reciprocal), mean(alike));
      byX = tf.sub(byX, tf.mul(onReciprocal, normal));
    }
    List<GradientValue> gradients = new ArrayList<>();
    gradients.add(tf.cast(byDy, op.input(0).type()));
    gradients.add(tf.cast(byX, op.input(1).type()));
    gradients.add(tf.cast(byScale, op.input(2).type()));
    while (gradients.size() < op.inputs().size()) {
      gradients.add(GradientValue.none());
    }
    return gradients;
  }

  private Output projected(Output value) {
    if (!training) {
      return value;
    }
    Output along = tf.mul(normal, mean(tf.mul(value, normal)));
    return tf.sub(tf.sub(value, mean(value)), along);
  }

  private Output mean(Output value) {
    return tf.mean(value, true, axes);
  }

  private Output wide(Output value) {
    return tf.cast(value, DataType.FLOAT);
  }

  /** A vector with an element for each channel, in a shape that broadcasts over images. */
  private Output broad(Output vector) {
    long[] sizes = new long[axes.length + 1];
    Arrays.fill(sizes, -1);
    for (int axis : axes) {
      sizes[axis] = 1;
    }
    return tf.reshape(wide(vector), sizes);
  }
}
