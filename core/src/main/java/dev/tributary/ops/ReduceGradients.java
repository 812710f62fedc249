package dev.tributary.ops;

import dev.tributary.error.TributaryException;
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

  /**
   * The gradient of an element is the product of all others. These are taken as those before and those after it, since
   * dividing by the element would fail for zeros. For that the folded dimensions are brought to the front and made one.
   */
  static List<GradientValue> product(Ops tf, Operation op, Output dy) {
    Output x = op.input(0);
    Optional<KnownValue> axes = op.input(1).operation().knownValue().filter(KnownValue::isComplete);
    if (!x.shape().hasRank() || axes.isEmpty()) {
      throw TributaryException.unimplemented("the gradient of %s needs a known rank and constant axes", op);
    }
    int[] order = foldedFirst(x.shape().rank(), axes.get().elements());
    Output turned = transpose(tf, x, order);
    Output turnedShape = Broadcasting.shape(tf, turned);
    Output folded = reducedSizes(tf, turnedShape, axes.get().elements().length);
    Output columns = tf.scope().operation("Pack").inputList(List.of(tf.reduce.prod(folded, 0), tf.constant(-1))).buildOutput();
    Output flat = Broadcasting.reshape(tf, turned, columns);
    Output others =
        tf.math.mul(tf.sequence.cumprod(flat, 0, true, false), tf.sequence.cumprod(flat, 0, true, true));
    Output slope = transpose(tf, Broadcasting.reshape(tf, others, turnedShape), inverse(order));
    return List.of(tf.math.mul(spread(tf, op, dy), slope), GradientValue.none());
  }

  private static Output reducedSizes(Ops tf, Output shape, int count) {
    Output begin = tf.constant(new int[] {0});
    return tf.scope().operation("Slice").input(shape).input(begin).input(tf.constant(new int[] {count})).buildOutput();
  }

  private static int[] foldedFirst(int rank, long[] axes) {
    boolean[] isFolded = new boolean[rank];
    int[] order = new int[rank];
    int count = 0;
    for (long axis : axes) {
      int at = ReductionShape.axis(axis, rank);
      isFolded[at] = true;
      order[count++] = at;
    }
    for (int i = 0; i < rank; i++) {
      if (!isFolded[i]) {
        order[count++] = i;
      }
    }
    return order;
  }

  private static int[] inverse(int[] order) {
    int[] inverse = new int[order.length];
    for (int i = 0; i < order.length; i++) {
      inverse[order[i]] = i;
    }
    return inverse;
  }

  private static Output transpose(Ops tf, Output x, int[] order) {
    return tf.scope().operation("Transpose").input(x).input(tf.constant(order)).buildOutput();
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
