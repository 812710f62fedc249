package dev.tributary.train.metric;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.variable.VariableScope;
import java.util.Optional;

/**
 * The area under the curve of true positive rate over false positive rate, in trapezoids between
 * thresholds. For each threshold four local variables count how predictions above and below it are
 * labelled.
 */
final class Auc {
  private static final int THRESHOLDS = 200;

  /** How far the outermost thresholds are beyond 0 and 1, so that 0 and 1 are between them. */
  private static final float MARGIN = 1e-7f;

  /** Keeps rates of nothing defined, as TensorFlow does. */
  private static final double EPSILON = 1e-6;

  private Auc() {}

  static Metric metric(
      VariableScope scope, Optional<Output> weights, Operand labels, Operand predictions) {
    Ops tf = scope.tf();
    Output scores = tf.array.reshape(tf.math.cast(predictions, DataType.FLOAT), 1, -1);
    Output truth = tf.array.reshape(tf.math.cast(labels, DataType.BOOL), 1, -1);
    Output thresholds = tf.array.reshape(tf.constant(thresholds()), THRESHOLDS, 1);
    Output above = tf.compare.greater(scores, thresholds);
    Output below = tf.compare.logicalNot(above);
    Output lie = tf.compare.logicalNot(truth);
    Output weight =
        weights
            .map(w -> tf.math.cast(w, DataType.FLOAT))
            .map(w -> tf.math.mul(w, tf.array.onesLike(tf.math.cast(predictions, DataType.FLOAT))))
            .map(w -> tf.array.reshape(w, 1, -1))
            .orElseGet(() -> tf.array.onesLike(scores));
    Count tp = count(scope, "true_positives", tf.compare.logicalAnd(above, truth), weight);
    Count fn = count(scope, "false_negatives", tf.compare.logicalAnd(below, truth), weight);
    Count tn = count(scope, "true_negatives", tf.compare.logicalAnd(below, lie), weight);
    Count fp = count(scope, "false_positives", tf.compare.logicalAnd(above, lie), weight);
    Ops after = tf.withControlDependencies(tp.addition, fn.addition, tn.addition, fp.addition);
    return new Metric(
        area(
            tf, tp.variable.value(), fn.variable.value(), tn.variable.value(), fp.variable.value()),
        area(
            after,
            tp.variable.in(after).read(),
            fn.variable.in(after).read(),
            tn.variable.in(after).read(),
            fp.variable.in(after).read()));
  }

  private record Count(Variable variable, Operation addition) {}

  /** How many predictions fall into one case, for each threshold. */
  private static Count count(VariableScope scope, String name, Operand condition, Operand weight) {
    Ops tf = scope.tf();
    Variable variable = Metrics.counter(scope, name, Shape.of(THRESHOLDS));
    Output cases = tf.math.mul(tf.math.cast(condition, DataType.FLOAT), weight);
    return new Count(variable, Metrics.added(tf, variable, tf.reduce.sum(cases, 1)));
  }

  private static Output area(Ops tf, Operand tp, Operand fn, Operand tn, Operand fp) {
    Output y = tf.math.div(tf.math.shift(tp, EPSILON), tf.math.shift(tf.math.add(tp, fn), EPSILON));
    Output x = tf.math.div(fp, tf.math.shift(tf.math.add(fp, tn), EPSILON));
    Output widths = tf.math.sub(first(tf, x), rest(tf, x));
    Output heights = tf.math.scale(tf.math.add(first(tf, y), rest(tf, y)), 0.5);
    return tf.reduce.sum(tf.math.mul(widths, heights), 0);
  }

  private static Output first(Ops tf, Operand x) {
    return tf.slice.slice(x, new int[] {0}, new int[] {THRESHOLDS - 1});
  }

  private static Output rest(Ops tf, Operand x) {
    return tf.slice.slice(x, new int[] {1}, new int[] {THRESHOLDS - 1});
  }

  private static float[] thresholds() {
    float[] thresholds = new float[THRESHOLDS];
    thresholds[0] = -MARGIN;
    for (int i = 1; i < THRESHOLDS - 1; i++) {
      thresholds[i] = i / (float) (THRESHOLDS - 1);
    }
    thresholds[THRESHOLDS - 1] = 1 + MARGIN;
    return thresholds;
  }
}
