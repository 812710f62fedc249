package dev.tributary.train.estimator;

import static dev.tributary.train.estimator.Classes.classes;
import static dev.tributary.train.estimator.HiddenUnits.hiddenUnits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.testing.NoLeaks;
import dev.tributary.train.data.Dataset;
import dev.tributary.train.feature.FeatureColumn;
import dev.tributary.train.feature.FeatureColumns;
import dev.tributary.train.feature.FeatureSpec;
import dev.tributary.train.model.LossOptions.Reduction;
import dev.tributary.train.savedmodel.SavedModel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Predictions, losses, metrics and signatures of ready-made models, and wrong labels. */
@NoLeaks
@Timeout(120)
class HeadsTest {
  private static final List<FeatureColumn> X = List.of(FeatureColumns.numeric("x"));
  private static final Offset<Double> CLOSE = Offset.offset(1e-5);

  @TempDir Path folder;

  /** Four examples in batches of two, of weights 1, 1, 1 and 3. */
  private static InputFunction input(Object labels) {
    return InputFunction.of(
        () ->
            Dataset.zip(
                    Dataset.tensorSlices(
                        Map.of("x", new float[] {1, 2, 3, 4}, "w", new float[] {1, 1, 1, 3})),
                    Dataset.tensorSlices(labels))
                .batch(2));
  }

  private Prediction first(Estimator<?> model) {
    try (Predictions all = model.predict(input(new float[4]))) {
      return all.iterator().next();
    }
  }

  @Test
  void binary_untrained_hasStocksMetrics() {
    LinearClassifier model = LinearClassifier.of(X, classes(2)).withModelDir(folder);

    Evaluation result = model.evaluate(input(new int[] {0, 1, 1, 1}));

    assertThat(result.metrics().keySet())
        .containsExactly(
            "accuracy",
            "accuracy_baseline",
            "auc",
            "auc_precision_recall",
            "average_loss",
            "global_step",
            "label/mean",
            "loss",
            "precision",
            "prediction/mean",
            "recall");
    assertThat(result.metric("accuracy")).isEqualTo(0.25);
    assertThat(result.metric("accuracy_baseline")).isEqualTo(0.75);
    assertThat(result.metric("average_loss")).isCloseTo(Math.log(2), CLOSE);
    assertThat(result.loss()).isCloseTo(2 * Math.log(2), CLOSE);
    assertThat(result.metric("prediction/mean")).isEqualTo(0.5);
    assertThat(result.metric("auc")).isCloseTo(0.5, CLOSE);
  }

  @Test
  void binary_weighted_countsExamplesByTheirWeights() {
    LinearClassifier model =
        LinearClassifier.of(X, classes(2)).withWeightColumn("w").withModelDir(folder);

    Evaluation result = model.evaluate(input(new int[] {1, 1, 1, 0}));

    assertThat(result.metric("label/mean")).isEqualTo(0.5);
    assertThat(result.loss()).isCloseTo((2 + 4) / 2.0 * Math.log(2), CLOSE);
  }

  @Test
  void binary_withMeanLoss_dividesByTheBatch() {
    LinearClassifier model =
        LinearClassifier.of(X, classes(2))
            .withLossReduction(Reduction.SUM_OVER_BATCH_SIZE)
            .withModelDir(folder);

    assertThat(model.evaluate(input(new int[4])).loss()).isCloseTo(Math.log(2), CLOSE);
  }

  @Test
  void binary_predictions_haveNamesOfClasses() {
    DnnClassifier model = DnnClassifier.of(X, hiddenUnits(2), classes("no", "yes"));

    Prediction prediction = first(model.withModelDir(folder));

    assertThat(prediction.names())
        .containsExactly(
            "logits",
            "logistic",
            "probabilities",
            "class_ids",
            "classes",
            "all_class_ids",
            "all_classes");
    assertThat(prediction.get("all_classes").toStrings()).containsExactly("no", "yes");
    long id = prediction.get("class_ids").longValue();
    assertThat(prediction.get("classes").stringValue()).isEqualTo(id == 1 ? "yes" : "no");
    assertThat(prediction.get("all_class_ids").toInts()).containsExactly(0, 1);
  }

  @Test
  void multiClass_untrained_hasStocksPredictionsAndMetrics() {
    LinearClassifier model = LinearClassifier.of(X, classes(3)).withModelDir(folder);

    Prediction prediction = first(model);
    Evaluation result = model.evaluate(input(new long[] {0, 1, 2, 2}));

    assertThat(prediction.names())
        .containsExactly(
            "logits", "probabilities", "class_ids", "classes", "all_class_ids", "all_classes");
    assertThat(prediction.get("classes").stringValue()).isEqualTo("0");
    assertThat(result.metrics().keySet())
        .containsExactly("accuracy", "average_loss", "global_step", "loss");
    assertThat(result.metric("average_loss")).isCloseTo(Math.log(3), CLOSE);
  }

  @Test
  void regression_untrained_hasStocksPredictionsAndMetrics() {
    LinearRegressor model = LinearRegressor.of(X, 2).withModelDir(folder);

    Evaluation result = model.evaluate(input(new float[][] {{1, 2}, {1, 2}, {1, 2}, {1, 2}}));

    assertThat(first(model).names()).containsExactly("predictions");
    assertThat(result.metrics().keySet())
        .containsExactly("average_loss", "global_step", "label/mean", "loss", "prediction/mean");
    assertThat(result.metric("average_loss")).isEqualTo(2.5);
    assertThat(result.loss()).isEqualTo(10);
    assertThat(result.metric("label/mean")).isEqualTo(1.5);
  }

  @Test
  void baseline_trained_learnsTheMean() {
    BaselineRegressor model = BaselineRegressor.of().withModelDir(folder);
    InputFunction input =
        InputFunction.of(
            () ->
                Dataset.zip(
                        Dataset.tensorSlices(Map.of("x", new float[] {1, 2})),
                        Dataset.tensorSlices(new float[] {3, 5}))
                    .repeat()
                    .batch(2));

    model.train(input, 200);

    assertThat(first(model).get("predictions").floatValue()).isCloseTo(4f, Offset.offset(0.1f));
  }

  @Test
  void signatures_ofClassifierAndRegressor_areStocks() {
    ServingInputReceiver.Source receiver = ServingInputReceiver.parsing(FeatureSpec.of(X));
    LinearClassifier classifier = LinearClassifier.of(X, classes(2)).withModelDir(folder);
    classifier.train(input(new int[4]), 1);

    try (SavedModel model =
        SavedModel.load(classifier.exportSavedModel(folder.resolve("e"), receiver))) {
      assertThat(model.signatures().keySet())
          .containsExactly("classification", "predict", "regression", "serving_default");
      assertThat(model.signature("classification").methodName())
          .isEqualTo("tensorflow/serving/classify");
      assertThat(model.signature("classification").inputs().keySet()).containsExactly("inputs");
      assertThat(model.signature("classification").outputs().keySet())
          .containsExactly("classes", "scores");
      assertThat(model.signature("regression").outputs().keySet()).containsExactly("outputs");
      assertThat(model.signature("predict").inputs().keySet()).containsExactly("examples");
    }
    try (SavedModel raw =
        SavedModel.load(
            classifier.exportSavedModel(
                folder.resolve("r"), ServingInputReceiver.raw(FeatureSpec.of(X))))) {
      assertThat(raw.signatures().keySet()).containsExactly("predict");
    }
  }

  // ---- mistakes ----

  @Test
  void labels_outOfRangeOrOfAnotherKind_sayWhy() {
    LinearClassifier two = LinearClassifier.of(X, classes(2)).withModelDir(folder);
    LinearClassifier three = LinearClassifier.of(X, classes(3)).withModelDir(folder);
    LinearClassifier named = LinearClassifier.of(X, classes("a", "b")).withModelDir(folder);

    requireFailure(
        () -> two.evaluate(input(new int[] {0, 1, 2, 0})), "labels must be from 0 to 1, got");
    requireFailure(
        () -> three.evaluate(input(new int[] {0, 1, -1, 0})), "labels must be from 0 to 2, got");
    requireFailure(
        () -> named.evaluate(input(new String[] {"a", "x", "b", "b"})),
        "labels must be from 0 to 1, got");
    requireFailure(
        () -> two.evaluate(input(new String[] {"a", "b", "a", "b"})),
        "labels are string; give the classifier the names of its classes");
    requireFailure(
        () -> named.evaluate(input(new int[4])), "labels must be names of classes, [a, b]");
    requireFailure(() -> three.evaluate(input(new float[4])), "must be integers, got float");
    requireFailure(
        () -> LinearRegressor.of(X, 2).withModelDir(folder).evaluate(input(new float[4])),
        "labels must have shape [batch, 2], got [?]");
  }

  @Test
  void settings_thatCannotBe_sayWhy() {
    requireFailure(() -> classes(1), "2 classes or more, got 1");
    requireFailure(() -> classes("a", "a"), "as many different names");
    requireFailure(() -> hiddenUnits(3, 0), "hidden layers need 1 unit or more");
    requireFailure(() -> LinearRegressor.of(X, 0), "1 label or more");
    requireFailure(() -> TrainSpec.of(input(new int[4])).withSteps(1).withMaxSteps(1), "not both");
    requireFailure(() -> EvalSpec.of(input(new int[4])).withSteps(0), "steps must be 1 or more");
  }

  private static void requireFailure(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(TributaryException.class).hasMessageContaining(message);
  }
}
