package dev.tributary.train.estimator;

import static dev.tributary.train.estimator.Classes.classes;
import static dev.tributary.train.estimator.HiddenUnits.hiddenUnits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.tensor.Value;
import dev.tributary.testing.NoLeaks;
import dev.tributary.train.feature.FeatureSpec;
import dev.tributary.train.savedmodel.SavedModel;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ready-made estimators learn, and their predictions, metrics and exports agree. */
@NoLeaks
@Timeout(120)
class ReadyMadeEstimatorsTest {
  @TempDir Path folder;

  @Test
  void dnnClassifier_ofPoints_learnsThem() {
    DnnClassifier model =
        DnnClassifier.of(Points.COLUMNS, hiddenUnits(16, 8), classes(2))
            .withConfig(RunConfig.defaults().withSeed(1))
            .withModelDir(folder);

    model.train(TrainSpec.of(Points.input(-1)).withSteps(200));
    Evaluation evaluation = model.evaluate(Points.input(1));

    assertThat(evaluation.globalStep()).isEqualTo(200);
    assertThat(evaluation.metric("accuracy")).isGreaterThan(0.9);
    assertThat(evaluation.metric("auc")).isGreaterThan(0.95);
  }

  @Test
  void linearClassifier_exported_predictsAsBefore() {
    LinearClassifier model =
        LinearClassifier.of(Points.COLUMNS, classes(2)).withModelDir(folder.resolve("model"));
    model.train(Points.input(-1), 100);

    int count = 0;
    Value first = null;
    try (Predictions predictions = model.predict(Points.input(1))) {
      for (Prediction prediction : predictions) {
        first = first == null ? prediction.get("probabilities") : first;
        count++;
      }
    }
    Path exported =
        model.exportSavedModel(
            folder.resolve("export"), ServingInputReceiver.raw(FeatureSpec.of(Points.COLUMNS)));

    assertThat(count).isEqualTo(200);
    try (SavedModel loaded = SavedModel.load(exported)) {
      Map<String, Value> got =
          loaded
              .signature("predict")
              .call(Map.of("x", new float[][] {{-1}}, "y", new float[][] {{-0.95f}}));
      assertThat(got.get("probabilities").row(0).toFloats()).containsExactly(first.toFloats());
    }
  }
}
