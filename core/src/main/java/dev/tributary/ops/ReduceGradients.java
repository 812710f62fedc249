package dev.tributary.ops;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.KnownValue;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.kernel.loop.ReductionShape;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.Optional;

/** The gradients of {@link ReduceOps}. The axes get none. */
final class ReduceGradients {
  private ReduceGradients() {}

  static List<GradientValue> sum(Ops tf, Operation op, Output dy) {
    return List.of(spread(tf, op, dy), GradientValue.none());
  }

  static List<GradientValue> mean(Ops tf, Operation op, Output dy) {
    Output spread = spread(tf, op, dy);
    return List.of(tf.math.realDiv(spread, reducedCount(tf, op)), GradientValue.none());
  }

  /** Equal greatest (or least) elements share evenly. */
  static List<GradientValue> extremum(Ops tf, Operation op, Output dy) {
    Output x = op.input(0);
    Output kept = keptShape(tf, op);
    Output y = Broadcasting.reshape(tf, op.output(0), kept);
    Output isExtremum = tf.math.cast(tf.compare.equal(y, x), dy.type());
    Output count = Broadcasting.reshape(tf, tf.reduce.sum(isExtremum, op.input(1), false), kept);
    Output share = tf.math.realDiv(isExtremum, count);
    return List.of(tf.math.mul(share, Broadcasting.reshape(tf, dy, kept)), GradientValue.none());
  }

  /** The gradient repeated over all that was folded. */
  private static Output spread(Ops tf, Operation op, Output dy) {
    Output kept = Broadcasting.reshape(tf, dy, keptShape(tf, op));
    return tf.scope().operation("BroadcastTo").input(kept).input(Broadcasting.shape(tf, op.input(0))).buildOutput();
  }

  /** How many elements went into each result, as a number of the result's type. */
  private static Output reducedCount(Ops tf, Operation op) {
    Shape input = op.input(0).shape();
    Shape output = op.output(0).shape();
    if (input.isFullyDefined() && output.isFullyDefined()) {
      return tf.constant(op.input(0).type(), (double) (input.elementCount() / Math.max(1, output.elementCount())));
    }
    Output inputCount = tf.reduce.prod(Broadcasting.shape(tf, op.input(0)), 0);
    Output outputCount = tf.reduce.prod(Broadcasting.shape(tf, op.output(0)), 0);
    Output count = tf.math.floorDiv(inputCount, tf.math.maximum(outputCount, tf.constant(1)));
    return tf.math.cast(count, op.input(0).type());
  }

  /** The shape of the result with the folded dimensions kept as 1. */
  private static Output keptShape(Ops tf, Operation op) {
    Shape input = op.input(0).shape();
    Optional<KnownValue> axes = op.input(1).operation().knownValue().filter(KnownValue::isComplete);
    if (input.isFullyDefined() && axes.isPresent()) {
      return Broadcasting.constant(tf, ReductionShape.result(input, axes.get().elements(), true));
    }
    if (op.attributes().bool("keep_dims")) {
      return Broadcasting.shape(tf, op.output(0));
    }
    Output shape = Broadcasting.shape(tf, op.input(0));
    Output isReduced = input.hasRank() && axes.isPresent() ? reducedMask(tf, input, axes.get()) : reducedMask(tf, op, shape);
    Output one = tf.constant(1);
    return tf.math.add(tf.math.mul(shape, tf.math.sub(one, isReduced)), isReduced);
  }

  /** A 1 for each folded dimension and a 0 for each other. */
  private static Output reducedMask(Ops tf, Shape input, KnownValue axes) {
    int[] mask = new int[input.rank()];
    for (long axis : axes.elements()) {
      mask[ReductionShape.axis(axis, mask.length)] = 1;
    }
    return tf.constant(mask);
  }

  /** The same, counted when the graph runs. */
  private static Output reducedMask(Ops tf, Operation op, Output shape) {
    Output rank = tf.scope().operation("Size").input(shape).buildOutput();
    Output vector = Broadcasting.reshape(tf, op.input(1), tf.constant(new int[] {-1}));
    Output axes = tf.math.floorMod(tf.math.cast(vector, DataType.INT32), rank);
    Output ones = tf.math.shift(tf.math.scale(axes, 0), 1);
    return tf.segment.unsortedSegmentSum(ones, axes, rank);
  }
}
