package dev.tributary.train.estimator;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.train.model.Metric;
import dev.tributary.train.model.Metrics;
import dev.tributary.train.savedmodel.SavedModel;
import java.util.LinkedHashMap;
import java.util.Map;

/** Two classes: one logit, of which the sigmoid is the probability of the second class. */
final class BinaryHead extends Head {
  private final ClassNames names;

  BinaryHead(Classes classes) {
    this.names = new ClassNames(classes);
  }

  @Override
  int logitsDimension() {
    return 1;
  }

  @Override
  Output labels(Ops tf, Batch batch) {
    Output ids = names.ids(tf, rows(tf, batch.labels(), 1));
    return inRange(tf, tf.cast(ids, DataType.FLOAT), 1, "labels");
  }

  /** {@code max(x, 0) - x * z + log(1 + exp(-|x|))}, which does not overflow. */
  @Override
  Output losses(Ops tf, Output labels, Output logits) {
    Output positive = tf.sub(tf.relu(logits), tf.mul(logits, labels));
    return tf.add(positive, tf.math.log1p(tf.exp(tf.neg(tf.abs(logits)))));
  }

  @Override
  Map<String, Output> predictions(Ops tf, Output logits) {
    Map<String, Output> all = new LinkedHashMap<>();
    Output both = tf.concat(1, tf.zerosLike(logits), logits);
    Output ids = tf.expandDims(tf.argMax(both, 1), -1);
    Output allIds = names.allIds(tf, logits);
    all.put("logits", logits);
    all.put("logistic", tf.withName("logistic").sigmoid(logits));
    all.put("probabilities", tf.withName("probabilities").softmax(both));
    all.put("class_ids", ids);
    all.put("classes", names.names(tf, ids));
    all.put("all_class_ids", allIds);
    all.put("all_classes", names.names(tf, allIds));
    return all;
  }

  @Override
  Map<String, Metric> metrics(
      Ops tf, Metrics metrics, Targets targets, Map<String, Output> predictions) {
    Output labels = targets.labels();
    Output ids = predictions.get("class_ids");
    Output logistic = predictions.get("logistic");
    Map<String, Metric> all = new LinkedHashMap<>();
    all.put("accuracy", metrics.accuracy(labels, ids));
    all.put("precision", metrics.precision(labels, ids));
    all.put("recall", metrics.recall(labels, ids));
    all.put("prediction/mean", metrics.mean(logistic));
    Metric labelMean = metrics.mean(labels);
    all.put("label/mean", labelMean);
    all.put(
        "accuracy_baseline",
        new Metric(baseline(tf, labelMean.value()), baseline(tf, labelMean.update())));
    all.put("auc", metrics.auc(labels, logistic));
    all.put("auc_precision_recall", metrics.aucPrecisionRecall(labels, logistic));
    return all;
  }

  /** The accuracy of always predicting the more frequent class. */
  private static Output baseline(Ops tf, Output labelMean) {
    return tf.maximum(labelMean, tf.sub(tf.constant(1f), labelMean));
  }

  @Override
  Map<String, ExportOutput> exportOutputs(Map<String, Output> predictions) {
    ExportOutput classification =
        ExportOutput.classification(
            predictions.get("probabilities"), predictions.get("all_classes"));
    Map<String, ExportOutput> all = new LinkedHashMap<>();
    all.put(SavedModel.SERVING_DEFAULT, classification);
    all.put("classification", classification);
    all.put("regression", ExportOutput.regression(predictions.get("logistic")));
    all.put("predict", ExportOutput.predict(predictions));
    return all;
  }
}
