package dev.tributary.train.estimator;

import static dev.tributary.train.estimator.Classes.classes;
import static dev.tributary.train.estimator.HiddenUnits.hiddenUnits;
import static dev.tributary.train.feature.FeatureColumns.categoricalWithHashBucket;
import static dev.tributary.train.feature.FeatureColumns.embedding;
import static dev.tributary.train.feature.FeatureColumns.numeric;
import static dev.tributary.train.feature.FeatureColumns.sharedEmbeddings;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.testing.NoLeaks;
import dev.tributary.train.data.Dataset;
import dev.tributary.train.feature.CategoricalColumn;
import dev.tributary.train.feature.FeatureColumn;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checkpoints of ready-made estimators have the names of TensorFlow 1.15's. */
@NoLeaks
@Timeout(120)
class CheckpointNamesTest {
  private static final CategoricalColumn JOB = categoricalWithHashBucket("job", 10);
  private static final FeatureColumn AGE = numeric("age");
  private static final String INPUT = "dnn/input_from_feature_columns/input_layer/";

  @TempDir Path folder;

  static Stream<Arguments> models() {
    return Stream.of(
        Arguments.of(
            DnnClassifier.of(List.of(AGE, embedding(JOB, 2)), hiddenUnits(4, 3), classes(2)),
            withSlots(
                "t_0/Adagrad",
                INPUT + "job_embedding/embedding_weights",
                "dnn/hiddenlayer_0/kernel",
                "dnn/hiddenlayer_0/bias",
                "dnn/hiddenlayer_1/kernel",
                "dnn/hiddenlayer_1/bias",
                "dnn/logits/kernel",
                "dnn/logits/bias")),
        Arguments.of(
            DnnRegressor.of(sharedEmbeddings(List.of(JOB), 2), hiddenUnits()),
            withSlots(
                "t_0/Adagrad",
                INPUT + "job_shared_embedding/embedding_weights",
                "dnn/logits/kernel",
                "dnn/logits/bias")),
        Arguments.of(
            LinearClassifier.of(List.of(AGE, JOB), classes(3)),
            withSlots(
                "part_0/Ftrl",
                "linear/linear_model/age/weights",
                "linear/linear_model/job/weights",
                "linear/linear_model/bias_weights")),
        Arguments.of(
            LinearRegressor.of(List.of(AGE)),
            withSlots(
                "part_0/Ftrl",
                "linear/linear_model/age/weights",
                "linear/linear_model/bias_weights")),
        Arguments.of(
            DnnLinearCombinedClassifier.of(List.of(JOB), List.of(AGE), hiddenUnits(3), classes(2)),
            Stream.concat(
                    withSlots(
                        "Adagrad",
                        "dnn/hiddenlayer_0/kernel",
                        "dnn/hiddenlayer_0/bias",
                        "dnn/logits/kernel",
                        "dnn/logits/bias")
                        .stream(),
                    withSlots(
                        "Ftrl",
                        "linear/linear_model/job/weights",
                        "linear/linear_model/bias_weights")
                        .stream())
                .distinct()
                .toList()),
        Arguments.of(
            DnnLinearCombinedRegressor.of(List.of(AGE), List.of(), hiddenUnits()),
            withSlots(
                "Ftrl", "linear/linear_model/age/weights", "linear/linear_model/bias_weights")),
        Arguments.of(BaselineClassifier.of(classes(3)), withSlots("Ftrl", "baseline/bias")),
        Arguments.of(BaselineRegressor.of(), withSlots("Ftrl", "baseline/bias")),
        Arguments.of(
            DnnClassifier.of(List.of(AGE), hiddenUnits(3), classes(2))
                .withBatchNorm()
                .withOptimizer(() -> new GradientDescentOptimizer(0.1)),
            List.of(
                "dnn/hiddenlayer_0/batchnorm_0/beta",
                "dnn/hiddenlayer_0/batchnorm_0/gamma",
                "dnn/hiddenlayer_0/batchnorm_0/moving_mean",
                "dnn/hiddenlayer_0/batchnorm_0/moving_variance",
                "dnn/hiddenlayer_0/bias",
                "dnn/hiddenlayer_0/kernel",
                "dnn/logits/bias",
                "dnn/logits/kernel",
                "global_step")));
  }

  /** The names of variables and of their slots; Ftrl has a second slot. */
  private static List<String> withSlots(String slot, String... variables) {
    List<String> all = new ArrayList<>(List.of("global_step"));
    for (String variable : variables) {
      all.add(variable);
      all.add(variable + "/" + slot);
      if (slot.endsWith("Ftrl")) {
        all.add(variable + "/" + slot + "_1");
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("models")
  void checkpoint_ofReadyMadeModel_hasStocksNames(Estimator<?> model, List<String> names) {
    Estimator<?> placed = model.withModelDir(folder);
    placed.train(
        InputFunction.of(
            () ->
                Dataset.zip(
                        Dataset.tensorSlices(
                            Map.of("age", new float[] {1, 2}, "job", new String[] {"a", "b"})),
                        Dataset.tensorSlices(new int[] {0, 1}))
                    .batch(2)),
        1);

    assertThat(placed.variableNames()).containsExactlyInAnyOrderElementsOf(names);
    assertThat(folder.resolve("checkpoint")).exists();
    assertThat(folder.resolve("graph.pbtxt")).exists();
    assertThat(folder.resolve("model.ckpt-1.meta")).exists();
  }
}
