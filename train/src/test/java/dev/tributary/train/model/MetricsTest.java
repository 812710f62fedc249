package dev.tributary.train.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.testing.ModelRun;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;
import org.junit.jupiter.api.Test;

class MetricsTest {
  private final Ops tf = Ops.create();
  private final Output labels = tf.placeholder(DataType.FLOAT, Shape.of(-1));
  private final Output predictions = tf.placeholder(DataType.FLOAT, Shape.of(-1));
  private final Metrics metrics = Metrics.of(VariableScope.of(tf));

  @Test
  void mean_overBatches_countsElements() {
    Metric mean = metrics.mean(predictions);

    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(run.floatOf(mean.value())).isZero();
      assertThat(updated(run, mean, labels(0), predictions(4))).isEqualTo(4);
      assertThat(updated(run, mean, labels(0), predictions(1, 1, 2))).isEqualTo(2);
      assertThat(run.floatOf(mean.value())).isEqualTo(2);
    }
  }

  @Test
  void mean_weighted_countsByWeight() {
    Metric mean = metrics.withWeights(labels).mean(predictions);

    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(updated(run, mean, labels(3, 1, 0), predictions(1, 5, 99))).isEqualTo(2);
    }
  }

  @Test
  void accuracy_overBatches_isTheShareOfHits() {
    Metric accuracy = metrics.accuracy(labels, predictions);

    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(updated(run, accuracy, labels(1, 2, 3, 4), predictions(1, 2, 0, 0)))
          .isEqualTo(0.5f);
      assertThat(updated(run, accuracy, labels(7, 7, 7, 7), predictions(7, 7, 7, 7)))
          .isEqualTo(0.75f);
    }
  }

  @Test
  void precisionAndRecall_overBatches_countEachTheirErrors() {
    Metric precision = metrics.precision(labels, predictions);
    Metric recall = metrics.recall(labels, predictions);

    try (ModelRun run = ModelRun.initialized(tf)) {
      // 2 true positives, 1 false positive, 3 false negatives.
      float[] truth = labels(1, 1, 0, 1, 1, 1, 0);
      float[] guess = predictions(1, 1, 1, 0, 0, 0, 0);
      assertThat(updated(run, precision, truth, guess)).isCloseTo(2 / 3f, within(1e-6f));
      assertThat(updated(run, recall, truth, guess)).isCloseTo(2 / 5f, within(1e-6f));
      assertThat(updated(run, recall, labels(1), predictions(1))).isCloseTo(3 / 6f, within(1e-6f));
      assertThat(run.floatOf(precision.value())).isCloseTo(2 / 3f, within(1e-6f));
    }
  }

  @Test
  void auc_ofRanking_isTheShareOfPairsInOrder() {
    Metric auc = metrics.auc(labels, predictions);

    try (ModelRun run = ModelRun.initialized(tf)) {
      // TensorFlow's documentation of the metric has this example.
      assertThat(updated(run, auc, labels(0, 0, 1, 1), predictions(0, 0.5f, 0.3f, 0.9f)))
          .isCloseTo(0.75f, within(1e-4f));
    }
  }

  @Test
  void auc_ofPerfectRanking_isOne() {
    Metric auc = metrics.auc(labels, predictions);

    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(updated(run, auc, labels(0, 1), predictions(0.1f, 0.8f)))
          .isCloseTo(1, within(1e-4f));
      assertThat(updated(run, auc, labels(0, 1), predictions(0.2f, 1f)))
          .isCloseTo(1, within(1e-4f));
    }
  }

  @Test
  void variables_ofMetrics_areLocal() {
    metrics.mean(predictions);
    metrics.mean(labels);

    assertThat(Variables.global(tf.graph())).isEmpty();
    assertThat(Variables.local(tf.graph()))
        .extracting(Variable::name)
        .containsExactly("mean/total", "mean/count", "mean_1/total", "mean_1/count");
    assertThat(tf.graph().collection("metric_variables")).hasSize(4);
  }

  private static float[] labels(float... values) {
    return values;
  }

  private static float[] predictions(float... values) {
    return values;
  }

  private float updated(ModelRun run, Metric metric, float[] truth, float[] guess) {
    Session session = run.session();
    try (Tensor truths = Tensor.of(truth);
        Tensor guesses = Tensor.of(guess);
        StepResult result =
            session
                .runner()
                .feed(labels, truths)
                .feed(predictions, guesses)
                .fetch(metric.update())
                .run()) {
      return result.get(0).floatValue();
    }
  }
}
