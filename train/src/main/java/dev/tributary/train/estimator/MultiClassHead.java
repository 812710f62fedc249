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

/** More than two classes, of which each example has one. */
final class MultiClassHead extends Head {
  private final ClassNames names;

  MultiClassHead(Classes classes) {
    this.names = new ClassNames(classes);
  }

  @Override
  int logitsDimension() {
    return names.classes().count();
  }

  @Override
  Output labels(Ops tf, Batch batch) {
    Output ids = names.ids(tf, rows(tf, batch.labels(), 1));
    if (ids.type().isFloating()) {
      throw TributaryException.invalidArgument(
          "labels of %d classes must be integers, got %s",
          names.classes().count(), ids.type().lowerName());
    }
    return inRange(tf, tf.cast(ids, DataType.INT64), names.classes().count() - 1, "labels");
  }

  @Override
  Output losses(Ops tf, Output labels, Output logits) {
    Output each = tf.nn.sparseSoftmaxCrossEntropyWithLogits(tf.reshape(labels, -1), logits);
    return tf.expandDims(each, -1);
  }

  @Override
  Map<String, Output> predictions(Ops tf, Output logits) {
    Map<String, Output> all = new LinkedHashMap<>();
    Output ids = tf.expandDims(tf.argMax(logits, 1), -1);
    Output allIds = names.allIds(tf, logits);
    all.put("logits", logits);
    all.put("probabilities", tf.withName("probabilities").softmax(logits));
    all.put("class_ids", ids);
    all.put("classes", names.names(tf, ids));
    all.put("all_class_ids", allIds);
    all.put("all_classes", names.names(tf, allIds));
    return all;
  }

  @Override
  Map<String, Metric> metrics(
      Ops tf, Metrics metrics, Targets targets, Map<String, Output> predictions) {
    return Map.of("accuracy", metrics.accuracy(targets.labels(), predictions.get("class_ids")));
  }

  @Override
  Map<String, ExportOutput> exportOutputs(Map<String, Output> predictions) {
    ExportOutput classification =
        ExportOutput.classification(
            predictions.get("probabilities"), predictions.get("all_classes"));
    Map<String, ExportOutput> all = new LinkedHashMap<>();
    all.put(SavedModel.SERVING_DEFAULT, classification);
    all.put("classification", classification);
    all.put("predict", ExportOutput.predict(predictions));
    return all;
  }
}
