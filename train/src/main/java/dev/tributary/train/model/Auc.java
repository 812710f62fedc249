package dev.tributary.train.model;

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
 * The area under a curve of rates, in trapezoids between thresholds. For each threshold four local
 * variables count how predictions above and below it are labelled.
 */
enum Auc {
  /** The curve of the true positive rate over the false positive rate. */
  ROC,
  /** The curve of precision over recall. */
  PRECISION_RECALL;

  private static final int THRESHOLDS = 200;

  /** The distance of the outermost thresholds from 0 and 1, which lie between them. */
  private static final float MARGIN = 1e-7f;

  /** Keeps rates of nothing defined, as TensorFlow does. */
  private static final double EPSILON = 1e-6;

  Metric metric(
      VariableScope scope, Optional<Output> weights, Operand labels, Operand predictions) {
    Ops tf = scope.tf();
    Output scores = tf.reshape(tf.cast(predictions, DataType.FLOAT), 1, -1);
    Output truth = tf.reshape(tf.cast(labels, DataType.BOOL), 1, -1);
    Output thresholds = tf.reshape(tf.constant(thresholds()), THRESHOLDS, 1);
    Output above = tf.greater(scores, thresholds);
    Output below = tf.logicalNot(above);
    Output lie = tf.logicalNot(truth);
    Output weight =
        weights
            .map(w -> tf.cast(w, DataType.FLOAT))
            .map(w -> tf.mul(w, tf.onesLike(tf.cast(predictions, DataType.FLOAT))))
            .map(w -> tf.reshape(w, 1, -1))
            .orElseGet(() -> tf.onesLike(scores));
    Count tp = count(scope, "true_positives", tf.logicalAnd(above, truth), weight);
    Count fn = count(scope, "false_negatives", tf.logicalAnd(below, truth), weight);
    Count tn = count(scope, "true_negatives", tf.logicalAnd(below, lie), weight);
    Count fp = count(scope, "false_positives", tf.logicalAnd(above, lie), weight);
    Ops after = tf.withControlDependencies(tp.addition, fn.addition, tn.addition, fp.addition);
    return new Metric(
        AcrossReplicas.value(
            tf,
            all ->
                area(
                    all,
                    tp.variable.value(),
                    fn.variable.value(),
                    tn.variable.value(),
                    fp.variable.value())),
        area(
            after,
            tp.variable.in(after).read(),
            fn.variable.in(after).read(),
            tn.variable.in(after).read(),
            fp.variable.in(after).read()));
  }

  private record Count(Variable variable, Operation addition) {}

  /** Returns how many predictions fall into one case, for each threshold. */
  private static Count count(VariableScope scope, String name, Operand condition, Operand weight) {
    Ops tf = scope.tf();
    Variable variable = Metrics.counter(scope, name, Shape.of(THRESHOLDS));
    Output cases = tf.mul(tf.cast(condition, DataType.FLOAT), weight);
    return new Count(variable, Metrics.added(tf, variable, tf.sum(cases, 1)));
  }

  private Output area(Ops tf, Operand tp, Operand fn, Operand tn, Operand fp) {
    Output recall = tf.div(tf.math.shift(tp, EPSILON), tf.math.shift(tf.add(tp, fn), EPSILON));
    Output y = this == ROC ? recall : rate(tf, tf.math.shift(tp, EPSILON), tf.add(tp, fp));
    Output x = this == ROC ? rate(tf, fp, tf.add(fp, tn)) : recall;
    Output widths = tf.sub(first(tf, x), rest(tf, x));
    Output heights = tf.math.scale(tf.add(first(tf, y), rest(tf, y)), 0.5);
    return tf.sum(tf.mul(widths, heights), 0);
  }

  private static Output rate(Ops tf, Operand part, Operand all) {
    return tf.div(part, tf.math.shift(all, EPSILON));
  }

  private static Output first(Ops tf, Operand x) {
    return tf.slice(x, new int[] {0}, new int[] {THRESHOLDS - 1});
  }

  private static Output rest(Ops tf, Operand x) {
    return tf.slice(x, new int[] {1}, new int[] {THRESHOLDS - 1});
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
