package dev.tributary.ops;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.kernel.loop.ReductionShape;
import dev.tributary.internal.op.KnownValue;
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
    return List.of(tf.math.realDiv(spread(tf, op, dy), foldedCount(tf, op)), GradientValue.none());
  }

  static List<GradientValue> norm(Ops tf, Operation op, Output dy) {
    Output kept = keptShape(tf, op);
    Output ratio = tf.div(tf.reshape(op.output(0), kept), tf.reshape(dy, kept));
    return List.of(tf.div(op.input(0), ratio), GradientValue.none());
  }

  /** Equal greatest (or least) elements share evenly. */
  static List<GradientValue> extremum(Ops tf, Operation op, Output dy) {
    Output x = op.input(0);
    Output kept = keptShape(tf, op);
    Output y = tf.reshape(op.output(0), kept);
    Output isExtremum = tf.cast(tf.equal(y, x), dy.type());
    Output count = tf.reshape(tf.math.sum(isExtremum, op.input(1), false), kept);
    Output share = tf.math.realDiv(isExtremum, count);
    return List.of(tf.mul(share, tf.reshape(dy, kept)), GradientValue.none());
  }

  /**
   * The gradient of an element is the product of all others. These are taken as those before and
   * those after it, since dividing by the element would fail for zeros. For that the folded axes
   * are brought to the front and made one. The place of an axis there is the number of axes of its
   * kind before it, to which a kept one adds that of all folded ones.
   */
  static List<GradientValue> product(Ops tf, Operation op, Output dy) {
    Output x = op.input(0);
    Output shape = tf.shape(x);
    Output isFolded = foldedMask(tf, op, shape);
    Output isKept = tf.sub(tf.constant(1), isFolded);
    Output placeOfFolded = tf.math.cumsum(isFolded, 0, true, false);
    Output placeOfKept = tf.add(tf.math.cumsum(isKept, 0, true, false), tf.sum(isFolded, 0));
    Output places = tf.add(tf.mul(isFolded, placeOfFolded), tf.mul(isKept, placeOfKept));
    Output rank = tf.size(shape);
    Output axes = tf.range(tf.constant(0), rank, tf.constant(1));
    Output order = tf.math.unsortedSegmentSum(axes, places, rank);
    Output turned = tf.array.transpose(x, order);
    Output foldedCount = tf.prod(withoutMarked(tf, shape, isKept), 0);
    Output keptCount = tf.prod(withoutMarked(tf, shape, isFolded), 0);
    Output flat = tf.reshape(turned, tf.stack(foldedCount, keptCount));
    Output before = tf.math.cumprod(flat, 0, true, false);
    Output after = tf.math.cumprod(flat, 0, true, true);
    Output product = tf.math.conj(tf.mul(before, after));
    Output others = tf.reshape(product, tf.shape(turned));
    return List.of(
        tf.mul(spread(tf, op, dy), tf.array.transpose(others, places)), GradientValue.none());
  }

  /** The gradient repeated over all that was folded. */
  private static Output spread(Ops tf, Operation op, Output dy) {
    Output kept = tf.reshape(dy, keptShape(tf, op));
    return tf.array.broadcastTo(kept, tf.shape(op.input(0)));
  }

  /** Returns how many elements went into each result, as a number of the result's type. */
  private static Output foldedCount(Ops tf, Operation op) {
    Shape input = op.input(0).shape();
    Shape output = op.output(0).shape();
    if (input.isFullyDefined() && output.isFullyDefined()) {
      return tf.constant(
          op.input(0).type(), (double) (input.elementCount() / Math.max(1, output.elementCount())));
    }
    Output inputCount = tf.size(op.input(0));
    Output outputCount = tf.size(op.output(0));
    Output count = tf.math.floorDiv(inputCount, tf.maximum(outputCount, tf.constant(1)));
    return tf.cast(count, op.input(0).type());
  }

  /** The shape of the result with the folded dimensions kept as 1. */
  private static Output keptShape(Ops tf, Operation op) {
    Shape input = op.input(0).shape();
    Optional<KnownValue> axes = knownAxes(op);
    if (input.isFullyDefined() && axes.isPresent()) {
      return BroadcastGradients.constant(
          tf, ReductionShape.result(input, axes.get().elements(), true));
    }
    if (op.attributes().bool("keep_dims")) {
      return tf.shape(op.output(0));
    }
    Output shape = tf.shape(op.input(0));
    return withoutMarked(tf, shape, foldedMask(tf, op, shape));
  }

  /** The sizes with a 1 in place of each marked one. */
  private static Output withoutMarked(Ops tf, Output shape, Output mask) {
    return tf.add(tf.mul(shape, tf.sub(tf.constant(1), mask)), mask);
  }

  /** A 1 for each folded dimension and a 0 for each other. */
  private static Output foldedMask(Ops tf, Operation op, Output shape) {
    Optional<KnownValue> known = knownAxes(op);
    if (op.input(0).shape().hasRank() && known.isPresent()) {
      int[] mask = new int[op.input(0).shape().rank()];
      for (long axis : known.get().elements()) {
        mask[ReductionShape.axis(axis, mask.length)] = 1;
      }
      return tf.constant(mask);
    }
    Output rank = tf.size(shape);
    Output vector = tf.reshape(op.input(1), tf.constant(new int[] {-1}));
    Output axes = tf.math.floorMod(tf.cast(vector, DataType.INT32), rank);
    return tf.math.unsortedSegmentSum(tf.onesLike(axes), axes, rank);
  }

  private static Optional<KnownValue> knownAxes(Operation op) {
    return op.input(1).operation().knownValue().filter(KnownValue::isComplete);
  }
}
