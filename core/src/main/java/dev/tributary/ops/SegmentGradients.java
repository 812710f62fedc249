package dev.tributary.ops;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.tensor.DataType;
import java.util.List;
import java.util.function.UnaryOperator;

/** The gradients of the segment ops. */
final class SegmentGradients {
  private SegmentGradients() {}

  static List<GradientValue> mean(Ops tf, Operation op, Output dy) {
    Output data = op.input(0);
    Output ids = op.input(1);
    Output rows = tf.fill(tf.shape(ids), tf.constant(data.type(), 1));
    Output counts = widened(tf, tf.math.segmentSum(rows, ids), dy);
    return gradient(tf.gather(tf.div(dy, counts), ids), 1);
  }

  static List<GradientValue> prod(Ops tf, Operation op, Output dy) {
    Output ids = op.input(1);
    return gradient(
        product(
            tf,
            op,
            dy,
            rows -> tf.math.segmentSum(rows, ids),
            rows -> tf.math.segmentProd(rows, ids),
            segments -> tf.gather(segments, ids)),
        1);
  }

  static List<GradientValue> extreme(Ops tf, Operation op, Output dy) {
    Output ids = op.input(1);
    Output chosen = tf.equal(op.input(0), tf.gather(op.output(0), ids));
    Output count = tf.math.segmentSum(tf.cast(chosen, dy.type()), ids);
    Output share = tf.gather(tf.div(dy, count), ids);
    return gradient(tf.where(chosen, share, tf.constant(dy.type(), 0)), 1);
  }

  static List<GradientValue> unsortedSum(Ops tf, Operation op, Output dy) {
    return gradient(gathered(tf, dy, op.input(1)), 2);
  }

  static List<GradientValue> unsortedProd(Ops tf, Operation op, Output dy) {
    Output ids = op.input(1);
    Output segments = op.input(2);
    return gradient(
        product(
            tf,
            op,
            dy,
            rows -> tf.math.unsortedSegmentSum(rows, ids, segments),
            rows -> tf.math.unsortedSegmentProd(rows, ids, segments),
            values -> gathered(tf, values, ids)),
        2);
  }

  static List<GradientValue> unsortedExtreme(Ops tf, Operation op, Output dy) {
    Output data = op.input(0);
    Output ids = op.input(1);
    Output counted = tf.array.broadcastTo(widened(tf, isCounted(tf, ids), data), tf.shape(data));
    Output chosen = tf.logicalAnd(tf.equal(data, gathered(tf, op.output(0), ids)), counted);
    Output count = tf.math.unsortedSegmentSum(tf.cast(chosen, dy.type()), ids, op.input(2));
    Output share = gathered(tf, tf.div(dy, count), ids);
    return gradient(tf.where(chosen, share, tf.constant(dy.type(), 0)), 2);
  }

  /**
   * The product of all other rows of the segment. Where there is one zero, only its row has a
   * gradient; where there are more, none has.
   */
  private static Output product(
      Ops tf,
      Operation op,
      Output dy,
      UnaryOperator<Output> sums,
      UnaryOperator<Output> products,
      UnaryOperator<Output> gathered) {
    Output data = op.input(0);
    Output zero = tf.constant(data.type(), 0);
    Output isZero = tf.equal(data, zero);
    Output zeros = sums.apply(tf.cast(isZero, DataType.INT32));
    Output passed = tf.where(tf.greater(zeros, tf.constant(1)), zero, dy);
    Output others = tf.where(isZero, tf.constant(data.type(), 1), data);
    Output slope =
        tf.where(
            isZero,
            gathered.apply(products.apply(others)),
            tf.div(gathered.apply(op.output(0)), others));
    return tf.mul(gathered.apply(passed), slope);
  }

  /** The segment of each row; zeros for rows with a negative id, which went nowhere. */
  private static Output gathered(Ops tf, Output segments, Output ids) {
    Output rows = tf.gather(segments, tf.maximum(ids, tf.constant(ids.type(), 0)));
    return tf.where(widened(tf, isCounted(tf, ids), rows), rows, tf.constant(rows.type(), 0));
  }

  private static Output isCounted(Ops tf, Output ids) {
    return tf.greaterEqual(ids, tf.constant(ids.type(), 0));
  }

  /** A value for each row with as many dimensions of size 1 behind as another tensor has more. */
  private static Output widened(Ops tf, Output values, Output like) {
    Output missing = tf.sub(tf.array.rank(like), tf.array.rank(values));
    Output ones = tf.fill(tf.reshape(missing, 1), tf.constant(1));
    return tf.reshape(values, tf.concat(0, tf.shape(values), ones));
  }

  private static List<GradientValue> gradient(Output ofData, int others) {
    GradientValue none = GradientValue.none();
    return others == 1 ? List.of(ofData, none) : List.of(ofData, none, none);
  }
}
