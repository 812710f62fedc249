package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.model.LossOptions;
import dev.tributary.train.model.LossOptions.Reduction;
import dev.tributary.train.model.Losses;
import dev.tributary.train.model.Metric;
import dev.tributary.train.model.Metrics;
import dev.tributary.train.model.Summaries;
import dev.tributary.train.variable.GraphKeys;
import dev.tributary.train.variable.VariableScope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The end of a ready-made model: how its logits become predictions, a loss, metrics and signatures.
 * Immutable.
 */
abstract sealed class Head permits BinaryHead, MultiClassHead, RegressionHead {
  /**
   * Settings that all heads have.
   *
   * @param weightColumn the feature that weighs the examples
   * @param reduction the way in which the losses of a batch become one
   */
  record Options(Optional<String> weightColumn, Reduction reduction) {
    /** Returns TensorFlow 1's: the sum of the losses, without weights. */
    static Options defaults() {
      return new Options(Optional.empty(), Reduction.SUM);
    }
  }

  /**
   * A batch as a head compares it with predictions.
   *
   * @param labels one row for each example
   * @param losses the loss of each element of the labels, before weights
   * @param weights [batch, 1]
   */
  record Targets(Output labels, Output losses, Optional<Output> weights) {}

  static Head of(Classes classes) {
    return classes.count() == 2 ? new BinaryHead(classes) : new MultiClassHead(classes);
  }

  static Head regression(int labelDimension) {
    return new RegressionHead(labelDimension);
  }

  /** Returns how many logits an example has. */
  abstract int logitsDimension();

  /** Returns the labels of a batch, checked, with one row for each example. */
  abstract Output labels(Ops tf, Batch batch);

  abstract Output losses(Ops tf, Output labels, Output logits);

  abstract Map<String, Output> predictions(Ops tf, Output logits);

  abstract Map<String, Metric> metrics(
      Ops tf, Metrics metrics, Targets targets, Map<String, Output> predictions);

  abstract Map<String, ExportOutput> exportOutputs(Map<String, Output> predictions);

  /**
   * Builds the spec of a model.
   *
   * @param minimize adds the operation that trains all variables by a loss
   */
  final EstimatorSpec spec(
      Ops tf,
      Batch batch,
      ModelContext context,
      Options options,
      Output logits,
      Function<Output, Operation> minimize) {
    Ops inner = tf.withSubScope("head");
    Map<String, Output> predictions = predictions(inner.withSubScope("predictions"), logits);
    EstimatorSpec spec = EstimatorSpec.of(context.mode()).withPredictions(predictions);
    if (context.mode() == ModeKeys.PREDICT) {
      return spec.withExportOutputs(exportOutputs(predictions));
    }
    Output labels = labels(inner, batch);
    Output losses = losses(inner, labels, logits);
    Targets targets = new Targets(labels, losses, weights(inner, batch, options));
    Output loss = reduced(inner, targets, options);
    Optional<Output> regularization = regularization(inner);
    Output total = regularization.map(more -> inner.add(loss, more)).orElse(loss);
    spec = spec.withLoss(total);
    if (context.mode() == ModeKeys.TRAIN) {
      summarize(tf, total, targets);
      return spec.withTrainOp(withUpdates(inner, minimize.apply(total)));
    }
    return spec.withEvalMetrics(allMetrics(inner, targets, predictions, regularization));
  }

  private static Optional<Output> weights(Ops tf, Batch batch, Options options) {
    return options
        .weightColumn()
        .map(
            key -> {
              Output weights = batch.features().dense(key);
              if (weights.type() == DataType.STRING) {
                throw TributaryException.invalidArgument(
                    "weight column '%s' must be numbers, got strings", key);
              }
              return tf.reshape(tf.cast(weights, DataType.FLOAT), -1, 1);
            });
  }

  private static Output reduced(Ops tf, Targets targets, Options options) {
    LossOptions how = LossOptions.defaults().withScope(tf).withReduction(options.reduction());
    return Losses.computeWeightedLoss(
        targets.losses, targets.weights.map(how::withWeights).orElse(how));
  }

  private static Optional<Output> regularization(Ops tf) {
    List<Output> losses =
        tf.graph().collection(GraphKeys.REGULARIZATION_LOSSES).stream()
            .map(Output.class::cast)
            .toList();
    return losses.isEmpty() ? Optional.empty() : Optional.of(tf.addN(losses));
  }

  private static void summarize(Ops tf, Output loss, Targets targets) {
    Summaries.scalar(tf, EstimatorSpec.LOSS, loss);
    LossOptions mean = LossOptions.defaults().withScope(tf).withReduction(Reduction.MEAN);
    Summaries.scalar(
        tf,
        "average_loss",
        Losses.computeWeightedLoss(
            targets.losses, targets.weights.map(mean::withWeights).orElse(mean)));
  }

  private static Operation withUpdates(Ops tf, Operation train) {
    List<Operation> all = new ArrayList<>(List.of(train));
    tf.graph().collection(GraphKeys.UPDATE_OPS).forEach(update -> all.add((Operation) update));
    return all.size() == 1 ? train : tf.group(all);
  }

  private Map<String, Metric> allMetrics(
      Ops tf, Targets targets, Map<String, Output> predictions, Optional<Output> regularization) {
    Metrics plain = Metrics.of(VariableScope.of(tf.withSubScope("metrics")));
    Metrics weighted = targets.weights.map(plain::withWeights).orElse(plain);
    Map<String, Metric> all = new LinkedHashMap<>();
    all.put("average_loss", weighted.mean(targets.losses));
    all.putAll(metrics(tf, weighted, targets, predictions));
    regularization.ifPresent(loss -> all.put("regularization_loss", plain.mean(loss)));
    return all;
  }

  /** Returns labels with a row of this many for each example; a vector has one for each. */
  static Output rows(Ops tf, Output labels, int size) {
    Shape shape = labels.shape();
    boolean isVector = shape.hasRank() && shape.rank() == 1;
    boolean fits =
        !shape.hasRank()
            || (isVector && size == 1)
            || (shape.rank() == 2 && (shape.size(1) == size || shape.size(1) == Shape.UNKNOWN));
    if (!fits) {
      throw TributaryException.invalidArgument(
          "labels must have shape [batch, %d], got %s", size, shape);
    }
    return shape.hasRank() && !isVector ? labels : tf.reshape(labels, -1, size);
  }

  /** Returns values that fail the step unless they lie in a range. */
  static Output inRange(Ops tf, Output labels, double last, String what) {
    Output low = tf.less(labels, tf.constant(labels.type(), 0));
    Output high = tf.greater(labels, tf.constant(labels.type(), last));
    Output wrong = tf.sum(tf.cast(tf.reshape(tf.logicalOr(low, high), -1), DataType.INT32), 0);
    String message = String.format("%s must be from 0 to %.0f, got", what, last);
    Operation check =
        tf.strings.assertThat(tf.equal(wrong, tf.constant(0)), tf.constant(message), labels);
    return tf.withControlDependencies(check).identity(labels);
  }
}
