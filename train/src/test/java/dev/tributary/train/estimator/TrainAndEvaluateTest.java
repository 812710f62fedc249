package dev.tributary.train.estimator;

import static dev.tributary.train.estimator.Classes.classes;
import static dev.tributary.train.estimator.HiddenUnits.hiddenUnits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.session.SessionOptions;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.NoLeaks;
import dev.tributary.train.feature.FeatureSpec;
import dev.tributary.train.hook.Interval;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.savedmodel.SavedModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Training and evaluation in turns, exporters, early stopping and exports of all modes. */
@NoLeaks
@Timeout(120)
class TrainAndEvaluateTest {
  private static final FeatureSpec SPEC = FeatureSpec.of(Points.COLUMNS);
  private static final ServingInputReceiver.Source RECEIVER = ServingInputReceiver.parsing(SPEC);

  @TempDir Path folder;

  private DnnClassifier model() {
    return DnnClassifier.of(Points.COLUMNS, hiddenUnits(8), classes(2))
        .withConfig(
            RunConfig.defaults()
                .withSeed(1)
                .withSaveCheckpoints(Interval.ofSteps(10))
                .withLogStepCountSteps(0))
        .withModelDir(folder);
  }

  private static EvalSpec evaluation(Exporter... exporters) {
    return EvalSpec.of(Points.input(1))
        .withDelays(Duration.ZERO, Duration.ZERO)
        .withExporters(exporters);
  }

  /** Remembers the evaluations that it is shown. */
  private record Recorder(String name, List<Long> steps, List<Boolean> last) implements Exporter {
    Recorder() {
      this("recorder", new ArrayList<>(), new ArrayList<>());
    }

    @Override
    public Optional<Path> export(
        Estimator<?> estimator, Path to, Evaluation evaluation, boolean isLast) {
      steps.add(evaluation.globalStep());
      last.add(isLast);
      return Optional.empty();
    }
  }

  @Test
  void trainAndEvaluate_withoutThrottle_evaluatesEachCheckpoint() {
    Recorder recorder = new Recorder();

    TrainingResult result =
        Estimators.trainAndEvaluate(
            model(), TrainSpec.of(Points.input(-1)).withMaxSteps(35), evaluation(recorder));

    assertThat(recorder.steps).containsExactly(10L, 20L, 30L, 35L);
    assertThat(recorder.last).containsExactly(false, false, false, true);
    assertThat(result.evaluation().orElseThrow().globalStep()).isEqualTo(35);
  }

  @Test
  void trainAndEvaluate_throttled_evaluatesFirstAndLast() {
    Recorder recorder = new Recorder();

    Estimators.trainAndEvaluate(
        model(),
        TrainSpec.of(Points.input(-1)).withMaxSteps(35),
        evaluation(recorder).withDelays(Duration.ZERO, Duration.ofHours(1)));

    assertThat(recorder.steps).containsExactly(10L, 35L);
  }

  @Test
  void trainAndEvaluate_again_hasNothingToDo() {
    TrainSpec train = TrainSpec.of(Points.input(-1)).withMaxSteps(10);
    Estimators.trainAndEvaluate(model(), train, evaluation());

    TrainingResult again = Estimators.trainAndEvaluate(model(), train, evaluation());

    assertThat(again.evaluation()).isEmpty();
  }

  @Test
  void exporters_ofATraining_exportWhatTheyAreFor() throws Exception {
    TrainingResult result =
        Estimators.trainAndEvaluate(
            model(),
            TrainSpec.of(Points.input(-1)).withMaxSteps(40),
            evaluation(
                LatestExporter.of("latest", RECEIVER).withKeep(2),
                FinalExporter.of("final", RECEIVER),
                BestExporter.of("best", RECEIVER)));

    assertThat(models("latest")).hasSize(2);
    assertThat(models("final")).hasSize(1);
    assertThat(models("best")).isNotEmpty();
    assertThat(result.exports()).hasSizeGreaterThanOrEqualTo(6);
  }

  @Test
  void bestExporter_worseModel_isNotExported() throws Exception {
    DnnClassifier diverging = model().withOptimizer(() -> new GradientDescentOptimizer(-0.01));

    Estimators.trainAndEvaluate(
        diverging,
        TrainSpec.of(Points.input(-1)).withMaxSteps(30),
        evaluation(BestExporter.of("best", RECEIVER)));

    assertThat(models("best")).hasSize(1);
  }

  private List<Path> models(String exporter) throws Exception {
    try (var all = Files.list(folder.resolve("export").resolve(exporter))) {
      return all.toList();
    }
  }

  @Test
  void evalSpec_exportersOfOneName_fail() {
    assertThatThrownBy(() -> evaluation(new Recorder(), new Recorder()))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("different names");
  }

  @Test
  void earlyStopping_noDecrease_stopsBeforeTheLastStep() {
    DnnClassifier diverging = model().withOptimizer(() -> new GradientDescentOptimizer(-0.001));
    EarlyStopping stopping =
        EarlyStopping.stopIfNoDecrease(diverging, "loss", 20).withInterval(Interval.ofSteps(1));

    Estimators.trainAndEvaluate(
        diverging,
        TrainSpec.of(Points.input(-1)).withMaxSteps(1000).withHook(stopping),
        evaluation());

    long step = diverging.variableValue("global_step").longValue();
    assertThat(step).isBetween(30L, 32L);
    assertThat(diverging.variableNames()).contains("signal_early_stopping/STOP");
  }

  @Test
  void earlyStopping_goodEnough_stops() {
    EarlyStopping stopping =
        EarlyStopping.stopIfHigher(model(), "auc", 0.3)
            .withMinSteps(15)
            .withInterval(Interval.ofSteps(1));

    Estimators.trainAndEvaluate(
        model(),
        TrainSpec.of(Points.input(-1)).withMaxSteps(1000).withHook(stopping),
        evaluation());

    assertThat(model().variableValue("global_step").longValue()).isBetween(20L, 22L);
  }

  @Test
  void exportAll_ofThreeModes_sharesTheVariables() {
    DnnClassifier model = model();
    model.train(Points.input(-1), 5);
    FeatureSpec labelled = SPEC.withFixed("label", DataType.INT64, Shape.of(1));
    ServingInputReceiver.Source supervised = ServingInputReceiver.parsing(labelled, "label");

    Path exported =
        model.exportAllSavedModels(
            folder.resolve("all"),
            Map.of(
                ModeKeys.TRAIN, supervised,
                ModeKeys.EVAL, supervised,
                ModeKeys.PREDICT, RECEIVER),
            ExportOptions.defaults());

    for (String tag : List.of("train", "eval", "serve")) {
      try (SavedModel loaded = SavedModel.load(exported, Set.of(tag), SessionOptions.defaults())) {
        assertThat(loaded.signatures().keySet())
            .contains(tag.equals("serve") ? "serving_default" : tag);
        assertThat(loaded.variable("dnn/logits/bias").toFloats())
            .isEqualTo(model.variableValue("dnn/logits/bias").toFloats());
      }
    }
  }

  @Test
  void export_extraAssets_areInTheFolder() throws Exception {
    DnnClassifier model = model();
    model.train(Points.input(-1), 1);
    Path note = Files.writeString(folder.resolve("note.txt"), "hello");

    Path exported =
        model.exportSavedModel(
            folder.resolve("one"),
            RECEIVER,
            ExportOptions.defaults().withExtraAsset("notes/note.txt", note));

    assertThat(exported.resolve("assets.extra/notes/note.txt")).hasContent("hello");
    assertThat(exported.getFileName().toString()).matches("[0-9]{10}");
  }
}
