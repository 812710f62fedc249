package dev.tributary.train.model;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableAggregation;
import dev.tributary.ops.VariableSynchronization;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.variable.GraphKeys;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * TensorFlow 1's metrics. They count in local variables, which {@code Variables.localInitializer}
 * sets to zero. In the replicas of a distribution strategy each replica counts for itself; the
 * value is that of all replicas, the update returns the replica's own. Immutable.
 *
 * <pre>{@code
 * Metric accuracy = Metrics.of(scope).accuracy(labels, predictions);
 * for (...) session.runner().fetch(accuracy.update())...run();
 * }</pre>
 */
public final class Metrics {
  private final VariableScope scope;
  private final Optional<Output> weights;

  private Metrics(VariableScope scope, Optional<Output> weights) {
    this.scope = scope;
    this.weights = weights;
  }

  public static Metrics of(VariableScope scope) {
    return new Metrics(scope, Optional.empty());
  }

  /** Counts each element this many times; of a shape that broadcasts to the elements. */
  public Metrics withWeights(Operand newWeights) {
    return new Metrics(scope, Optional.of(newWeights.asOutput()));
  }

  /** The mean of all elements. */
  public Metric mean(Operand values) {
    return mean("mean", values);
  }

  /** The share of elements in which predictions equal labels. */
  public Metric accuracy(Operand labels, Operand predictions) {
    Ops tf = scope.tf();
    Output same = tf.cast(labels, predictions.asOutput().type());
    return mean("accuracy", tf.cast(tf.equal(predictions, same), DataType.FLOAT));
  }

  /** The share of true labels among what was predicted true. */
  public Metric precision(Operand labels, Operand predictions) {
    return ratio("precision", labels, predictions, "false_positives");
  }

  /** The share of what was predicted true among true labels. */
  public Metric recall(Operand labels, Operand predictions) {
    return ratio("recall", labels, predictions, "false_negatives");
  }

  /** The area under the ROC curve, by 200 thresholds; predictions are from 0 to 1. */
  public Metric auc(Operand labels, Operand predictions) {
    return Auc.ROC.metric(scope.openNew("auc"), weights, labels, predictions);
  }

  /** The area under the curve of precision over recall, by 200 thresholds. */
  public Metric aucPrecisionRecall(Operand labels, Operand predictions) {
    return Auc.PRECISION_RECALL.metric(scope.openNew("auc"), weights, labels, predictions);
  }

  private Metric mean(String name, Operand values) {
    VariableScope inner = scope.openNew(name);
    Ops tf = inner.tf();
    Output numbers = tf.cast(values, DataType.FLOAT);
    Output each = tf.onesLike(numbers);
    if (weights.isPresent()) {
      each = tf.mul(tf.cast(weights.get(), DataType.FLOAT), each);
      numbers = tf.mul(numbers, each);
    }
    Variable total = counter(inner, "total", Shape.scalar());
    Variable count = counter(inner, "count", Shape.scalar());
    return quotient(
        tf, total, count, added(tf, total, sum(tf, numbers)), added(tf, count, sum(tf, each)));
  }

  private static Metric quotient(Ops tf, Variable total, Variable count, Operation... additions) {
    Ops after = tf.withControlDependencies(additions);
    return new Metric(
        AcrossReplicas.value(
            tf, all -> all.withName("value").math.divNoNan(total.value(), count.value())),
        after.withName("update_op").math.divNoNan(total.in(after).read(), count.in(after).read()));
  }

  /** True positives among themselves and what {@code others} counts. */
  private Metric ratio(String name, Operand labels, Operand predictions, String others) {
    VariableScope inner = scope.openNew(name);
    Ops tf = inner.tf();
    Output truth = tf.cast(labels, DataType.BOOL);
    Output predicted = tf.cast(predictions, DataType.BOOL);
    Output hit = tf.logicalAnd(truth, predicted);
    Output miss =
        others.equals("false_positives")
            ? tf.logicalAnd(tf.logicalNot(truth), predicted)
            : tf.logicalAnd(truth, tf.logicalNot(predicted));
    Variable hits = counter(inner.open("true_positives"), "count", Shape.scalar());
    Variable misses = counter(inner.open(others), "count", Shape.scalar());
    Ops after =
        tf.withControlDependencies(
            added(tf, hits, counted(tf, hit)), added(tf, misses, counted(tf, miss)));
    Output allNow = after.add(hits.in(after).read(), misses.in(after).read());
    return new Metric(
        AcrossReplicas.value(
            tf,
            all -> {
              Output sum = all.add(hits.value(), misses.value());
              return all.withName("value").math.divNoNan(hits.value(), sum);
            }),
        after.withName("update_op").math.divNoNan(hits.in(after).read(), allNow));
  }

  private Output counted(Ops tf, Operand condition) {
    Output ones = tf.cast(condition, DataType.FLOAT);
    return sum(tf, weights.map(w -> tf.mul(ones, tf.cast(w, DataType.FLOAT))).orElse(ones));
  }

  static Operation added(Ops tf, Variable counter, Operand amount) {
    return counter.in(tf).assignAdd(amount);
  }

  static Variable counter(VariableScope scope, String name, Shape shape) {
    return scope.getVariable(
        VariableSpec.of(name, shape)
            .withInitializer(Initializers.zeros())
            .withLocal()
            .withCopies(VariableSynchronization.ON_READ, VariableAggregation.SUM)
            .withCollection(GraphKeys.METRIC_VARIABLES));
  }

  private static Output sum(Ops tf, Operand x) {
    return x.asOutput().shape().hasRank()
        ? tf.sum(x, IntStream.range(0, x.asOutput().shape().rank()).toArray())
        : tf.sum(tf.reshape(x, -1), 0);
  }
}
