package dev.tributary.train.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.train.model.LossOptions.Reduction;
import dev.tributary.train.testing.ModelRun;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class LossesTest {
  private final Ops tf = Ops.create();

  @Test
  void meanSquaredError_ofFour_isTheirMean() {
    assertValue(
        Losses.meanSquaredError(tf.constant(1f, 2f, 3f, 4f), tf.constant(1f, 4f, 3f, 1f)),
        (0 + 4 + 0 + 9) / 4.0);
  }

  @Test
  void absoluteDifference_ofFour_isTheirMean() {
    assertValue(
        Losses.absoluteDifference(tf.constant(1f, 2f, 3f, 4f), tf.constant(1f, 4f, 3f, 1f)),
        (0 + 2 + 0 + 3) / 4.0);
  }

  @Test
  void hingeLoss_ofBothLabels_countsTheMargin() {
    assertValue(
        Losses.hingeLoss(tf.constant(1f, 1f, 0f, 0f), tf.constant(2f, 0.5f, -3f, 0.25f)),
        (0 + 0.5 + 0 + 1.25) / 4);
  }

  @Test
  void logLoss_ofProbabilities_isCrossEntropy() {
    assertValue(
        Losses.logLoss(tf.constant(1f, 0f), tf.constant(0.8f, 0.3f)),
        -(Math.log(0.8) + Math.log(0.7)) / 2);
  }

  @Test
  void softmaxCrossEntropy_ofTwoRows_isTheirMean() {
    Output labels = matrix(1, 0, 0, 1);
    double expected = (Math.log(1 + Math.exp(-2)) + Math.log(1 + Math.exp(1))) / 2;

    assertValue(Losses.softmaxCrossEntropy(labels, matrix(2, 0, 1, 0)), expected);
    assertValue(Losses.sparseSoftmaxCrossEntropy(tf.constant(0, 1), matrix(2, 0, 1, 0)), expected);
  }

  @Test
  void softmaxCrossEntropy_smoothed_movesLabelsTowardsEven() {
    double p0 = 1 / (1 + Math.exp(-2));
    double expected = -(0.9 * Math.log(p0) + 0.1 * Math.log(1 - p0));
    Output labels = tf.constant(Shape.of(1, 2), 1f, 0f);
    Output logits = tf.constant(Shape.of(1, 2), 2f, 0f);

    assertValue(
        Losses.softmaxCrossEntropy(labels, logits, LossOptions.defaults().withLabelSmoothing(0.2)),
        expected);
  }

  @Test
  void sigmoidCrossEntropy_ofLargeLogits_doesNotOverflow() {
    Output labels = tf.constant(1f, 0f, 1f, 0f);
    Output logits = tf.constant(100f, -100f, -100f, 0f);

    assertValue(Losses.sigmoidCrossEntropy(labels, logits), (100 + Math.log(2)) / 4);
    assertValue(
        Losses.sigmoidCrossEntropy(
            tf.constant(new float[] {1}),
            tf.constant(new float[] {2}),
            LossOptions.defaults().withLabelSmoothing(0.5)),
        -(0.75 * Math.log(1 / (1 + Math.exp(-2))) + 0.25 * Math.log(1 - 1 / (1 + Math.exp(-2)))));
  }

  @Test
  void reduction_ofWeightedRows_dividesAsItSays() {
    // Losses 1, 4, 9 and 16 with weights 2, 2, 0 and 0: 10 in all.
    Output labels = matrix(1, 2, 3, 4);
    Output zeros = matrix(0, 0, 0, 0);
    LossOptions weighted = LossOptions.defaults().withWeights(tf.constant(Shape.of(2, 1), 2f, 0f));

    assertValue(Losses.meanSquaredError(labels, zeros, weighted), 10 / 2.0);
    assertValue(Losses.meanSquaredError(labels, zeros, weighted.withReduction(Reduction.SUM)), 10);
    assertValue(
        Losses.meanSquaredError(labels, zeros, weighted.withReduction(Reduction.MEAN)), 10 / 4.0);
    assertValue(
        Losses.meanSquaredError(
            labels, zeros, weighted.withReduction(Reduction.SUM_OVER_BATCH_SIZE)),
        10 / 4.0);
    Output none = Losses.meanSquaredError(labels, zeros, weighted.withReduction(Reduction.NONE));
    try (ModelRun run = ModelRun.of(tf)) {
      assertThat(run.floats(none)).containsExactly(new float[] {2, 8, 0, 0}, Offset.offset(0f));
    }
  }

  @Test
  void reduction_ofWeightsThatAreAllZero_isZero() {
    LossOptions unweighted = LossOptions.defaults().withWeights(tf.constant(0f));

    assertValue(Losses.meanSquaredError(tf.constant(1f, 2f), tf.constant(0f, 0f), unweighted), 0);
    assertValue(
        Losses.meanSquaredError(
            tf.constant(1f, 2f), tf.constant(0f, 0f), unweighted.withReduction(Reduction.MEAN)),
        0);
  }

  @Test
  void loss_withoutAScope_isOnTheDeviceOfItsPredictions() {
    Output predictions = tf.withDevice("/job:worker/task:1").constant(1f, 2f);

    Output loss = Losses.meanSquaredError(tf.constant(0f, 0f), predictions);

    assertThat(loss.operation().device()).isEqualTo(predictions.operation().device());
    assertThat(loss.operation().name()).startsWith("mean_squared_error/");
  }

  @Test
  void loss_inAScope_hasItsNamesAndDevice() {
    Ops scope = tf.withSubScope("tower").withDevice("/job:worker/task:2");

    Output loss =
        Losses.meanSquaredError(
            tf.constant(0f, 0f), tf.constant(1f, 2f), LossOptions.defaults().withScope(scope));

    assertThat(loss.operation().device().toString()).contains("/task:2");
    assertThat(loss.operation().name()).startsWith("tower/mean_squared_error/");
  }

  @Test
  void total_ofSeveralLosses_isTheirSum() {
    Losses.meanSquaredError(tf.constant(1f, 1f), tf.constant(0f, 0f));
    Losses.absoluteDifference(tf.constant(5f, 5f), tf.constant(0f, 0f));

    assertValue(Losses.total(tf), 6);
  }

  @Test
  void total_withoutLosses_isRefused() {
    assertThatThrownBy(() -> Losses.total(tf)).isInstanceOf(TributaryException.class);
  }

  private Output matrix(float... values) {
    return tf.constant(Shape.of(2, 2), values);
  }

  private void assertValue(Output loss, double expected) {
    try (ModelRun run = ModelRun.of(tf)) {
      assertThat((double) run.floatOf(loss)).isCloseTo(expected, within(1e-5));
    }
  }
}
