package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.train.model.Metric;
import dev.tributary.train.model.Metrics;
import dev.tributary.train.savedmodel.SavedModel;
import java.util.LinkedHashMap;
import java.util.Map;

/** One number or more for each example, compared by the square of the difference. */
final class RegressionHead extends Head {
  private final int labelDimension;

  RegressionHead(int labelDimension) {
    if (labelDimension < 1) {
      throw TributaryException.invalidArgument(
          "a regressor needs 1 label or more for each example, got %d", labelDimension);
    }
    this.labelDimension = labelDimension;
  }

  @Override
  int logitsDimension() {
    return labelDimension;
  }

  @Override
  Output labels(Ops tf, Batch batch) {
    if (batch.labels().type() == DataType.STRING) {
      throw TributaryException.invalidArgument(
          "labels of a regressor must be numbers, got strings");
    }
    return tf.cast(rows(tf, batch.labels(), labelDimension), DataType.FLOAT);
  }

  @Override
  Output losses(Ops tf, Output labels, Output logits) {
    return tf.squaredDifference(logits, labels);
  }

  @Override
  Map<String, Output> predictions(Ops tf, Output logits) {
    return Map.of("predictions", logits);
  }

  @Override
  Map<String, Metric> metrics(
      Ops tf, Metrics metrics, Targets targets, Map<String, Output> predictions) {
    Map<String, Metric> all = new LinkedHashMap<>();
    all.put("prediction/mean", metrics.mean(predictions.get("predictions")));
    all.put("label/mean", metrics.mean(targets.labels()));
    return all;
  }

  @Override
  Map<String, ExportOutput> exportOutputs(Map<String, Output> predictions) {
    ExportOutput regression = ExportOutput.regression(predictions.get("predictions"));
    Map<String, ExportOutput> all = new LinkedHashMap<>();
    all.put(SavedModel.SERVING_DEFAULT, regression);
    all.put("regression", regression);
    all.put("predict", ExportOutput.predict(predictions));
    return all;
  }
}
