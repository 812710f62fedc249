package dev.tributary.ops;

import dev.tributary.graph.Output;
import dev.tributary.tensor.Shape;
import java.util.Arrays;
import java.util.List;

/**
 * Gradients of inputs that were broadcast: what flows back to a repeated element is the sum over
 * its repetitions.
 */
final class BroadcastGradients {
  private BroadcastGradients() {}

  /** Gradients of two inputs, each summed to its input's shape. */
  static List<Output> reduce(Ops tf, Output x, Output gradientOfX, Output y, Output gradientOfY) {
    return List.of(reduce(tf, x, gradientOfX), reduce(tf, y, gradientOfY));
  }

  /** A gradient, which has the shape that {@code x} was broadcast to, summed to the shape of x. */
  static Output reduce(Ops tf, Output x, Output gradient) {
    Shape shape = x.shape();
    Shape wide = gradient.shape();
    if (!shape.isFullyDefined() || !wide.hasRank()) {
      Output target = tf.shape(x);
      Output axes = tf.array.broadcastGradientArgs(target, tf.shape(gradient)).get(0);
      return tf.reshape(tf.math.sum(gradient, axes, false), target);
    }
    int[] axes = repeatedAxes(shape, wide);
    Output sum = axes.length == 0 ? gradient : tf.sum(gradient, axes);
    return wide.rank() - axes.length == shape.rank() ? sum : tf.reshape(sum, constant(tf, shape));
  }

  private static int[] repeatedAxes(Shape shape, Shape wide) {
    int[] axes = new int[wide.rank()];
    int count = 0;
    int missing = wide.rank() - shape.rank();
    for (int i = 0; i < wide.rank(); i++) {
      if (i < missing || shape.size(i - missing) == 1 && wide.size(i) != 1) {
        axes[count++] = i;
      }
    }
    return Arrays.copyOf(axes, count);
  }

  /** A fully known shape as a vector of sizes. */
  static Output constant(Ops tf, Shape shape) {
    return tf.constant(Arrays.stream(shape.toArray()).mapToInt(Math::toIntExact).toArray());
  }
}
