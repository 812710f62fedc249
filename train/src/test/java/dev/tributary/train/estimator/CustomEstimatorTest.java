package dev.tributary.train.estimator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.NoLeaks;
import dev.tributary.train.data.Dataset;
import dev.tributary.train.feature.Features;
import dev.tributary.train.hook.CheckpointSaverListener;
import dev.tributary.train.hook.Interval;
import dev.tributary.train.model.Losses;
import dev.tributary.train.model.Metrics;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.queue.BatchOptions;
import dev.tributary.train.queue.Batching;
import dev.tributary.train.queue.InputProducers;
import dev.tributary.train.queue.ProducerOptions;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Estimators with a model function of one's own, on a line through points. */
@NoLeaks
@Timeout(120)
class CustomEstimatorTest {
  @TempDir Path folder;

  /** Learns y = w x. */
  private static EstimatorSpec line(Ops tf, Batch batch, ModelContext context) {
    VariableScope scope = VariableScope.of(tf);
    Output x = batch.features().dense("x");
    Output w = scope.getVariable("w", Shape.scalar(), Initializers.zeros()).value();
    Output y = tf.mul(x, w);
    EstimatorSpec spec = EstimatorSpec.of(context.mode()).withPrediction("y", y);
    if (context.mode() == ModeKeys.PREDICT) {
      return spec;
    }
    Output loss = Losses.meanSquaredError(batch.labels(), y);
    double rate = (Double) context.params().getOrDefault("rate", 0.1);
    Operation train =
        new GradientDescentOptimizer(rate).minimize(tf, loss, GlobalStep.getOrCreate(tf));
    return spec.withLoss(loss)
        .withTrainOp(train)
        .withEvalMetric("mean_y", Metrics.of(scope).mean(y));
  }

  private static InputFunction points(long passes) {
    return InputFunction.of(
        () ->
            Dataset.zip(
                    Dataset.tensorSlices(Map.of("x", new float[] {1, 2})),
                    Dataset.tensorSlices(new float[] {3, 6}))
                .repeat(passes)
                .batch(2));
  }

  private CustomEstimator model() {
    return CustomEstimator.of(CustomEstimatorTest::line).withModelDir(folder);
  }

  private static CustomEstimator changed(UnaryOperator<EstimatorSpec> change) {
    return CustomEstimator.of((tf, batch, context) -> change.apply(line(tf, batch, context)));
  }

  // ---- train ----

  @Test
  void train_bySteps_addsThemToEarlierOnes() {
    CustomEstimator model = model();

    model.train(points(-1), 10);
    model.train(points(-1), 5);

    assertThat(model.variableValue("global_step").longValue()).isEqualTo(15);
    assertThat(model.variableValue("w").floatValue()).isCloseTo(3f, Offset.offset(0.01f));
    assertThat(model.variableNames()).containsExactly("global_step", "w");
  }

  @Test
  void train_untilAStepThatWasReached_doesNothing() {
    CustomEstimator model = model();
    model.train(TrainSpec.of(points(-1)).withMaxSteps(4));
    InputFunction failing =
        (tf, context) -> {
          throw new AssertionError("asked for input");
        };

    model.train(TrainSpec.of(failing).withMaxSteps(4));

    assertThat(model.variableValue("global_step").longValue()).isEqualTo(4);
  }

  @Test
  void train_untilTheInputEnds_savesTheLastStep() {
    CustomEstimator model = model();

    model.train(TrainSpec.of(points(7)));

    assertThat(model.latestCheckpoint()).contains(folder.resolve("model.ckpt-7"));
  }

  @Test
  void train_inputOfQueues_readsThem() {
    InputFunction queues =
        (tf, context) -> {
          List<Output> row =
              InputProducers.sliceInputProducer(
                  tf,
                  List.of(tf.constant(1f, 2), tf.constant(3f, 6)),
                  ProducerOptions.defaults().withEpochs(4));
          List<Output> batch = Batching.batch(tf, row, BatchOptions.of(2));
          return Batch.of(Features.none().and("x", batch.get(0)), batch.get(1));
        };

    model().train(TrainSpec.of(queues));

    assertThat(model().variableValue("global_step").longValue()).isEqualTo(4);
  }

  @Test
  void train_summaries_areWrittenOnce() throws Exception {
    model().train(points(-1), 1);

    assertThat(EvalEvents.of(folder, "loss")).hasSize(1);
    assertThat(EvalEvents.of(folder, "loss_1")).isEmpty();
  }

  @Test
  void train_withListener_callsItForEachCheckpoint() {
    List<Long> steps = new ArrayList<>();
    CheckpointSaverListener listener =
        new CheckpointSaverListener() {
          @Override
          public boolean afterSave(Session session, long globalStep) {
            steps.add(globalStep);
            return false;
          }
        };

    model()
        .withConfig(RunConfig.defaults().withSaveCheckpoints(Interval.ofSteps(2)))
        .train(TrainSpec.of(points(-1)).withSteps(5).withSavingListener(listener));

    assertThat(steps).containsExactly(0L, 2L, 4L, 5L);
  }

  @Test
  void train_withKeptCheckpoints_deletesOlderOnes() throws Exception {
    RunConfig config =
        RunConfig.defaults()
            .withSaveCheckpoints(Interval.ofSteps(1))
            .withKeepCheckpoints(2, Duration.ofHours(1));

    model().withConfig(config).train(points(-1), 5);

    try (var files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .filteredOn(name -> name.endsWith(".index"))
          .containsExactlyInAnyOrder("model.ckpt-4.index", "model.ckpt-5.index");
    }
  }

  @Test
  void train_withoutCheckpoints_writesNone() {
    CustomEstimator model = model().withConfig(RunConfig.defaults().withoutCheckpoints());

    model.train(points(-1), 3);

    assertThat(model.latestCheckpoint()).isEmpty();
  }

  @Test
  void train_withParams_passesThemToTheFunction() {
    CustomEstimator model = model().withParams(Map.of("rate", 0.0));

    model.train(points(-1), 3);

    assertThat(model.variableValue("w").floatValue()).isZero();
  }

  // ---- evaluate, predict ----

  @Test
  void evaluate_afterTraining_returnsAndWritesTheMetrics() throws Exception {
    CustomEstimator model = model();
    model.train(points(-1), 10);

    Evaluation result = model.evaluate(points(3));

    assertThat(result.globalStep()).isEqualTo(10);
    assertThat(result.metrics().keySet()).containsExactly("global_step", "loss", "mean_y");
    assertThat(result.loss()).isLessThan(0.1);
    assertThat(result.checkpoint()).contains(folder.resolve("model.ckpt-10"));
    assertThat(EvalEvents.of(folder.resolve("eval"), "loss")).containsOnlyKeys(10L);
  }

  @Test
  void evaluate_withNameAndCheckpoint_usesThem() {
    CustomEstimator model =
        model().withConfig(RunConfig.defaults().withSaveCheckpoints(Interval.ofSteps(5)));
    model.train(points(-1), 10);

    Evaluation result =
        model.evaluate(
            EvalSpec.of(points(-1))
                .withSteps(4)
                .withName("early")
                .withCheckpoint(folder.resolve("model.ckpt-5")));

    assertThat(result.globalStep()).isEqualTo(5);
    assertThat(EvalEvents.of(folder.resolve("eval_early"), "loss")).containsOnlyKeys(5L);
  }

  @Test
  void evaluate_untrained_hasInitialValues() {
    assertThat(model().evaluate(points(1)).loss()).isEqualTo((9 + 36) / 2.0);
  }

  @Test
  void predict_byExamples_isLazyAndHasOneForEach() {
    CustomEstimator model = model();
    model.train(points(-1), 20);
    List<Float> found = new ArrayList<>();

    try (Predictions predictions = model.predict(points(2))) {
      predictions.forEach(prediction -> found.add(prediction.get("y").floatValue()));
    }
    model
        .predict(
            (tf, context) -> {
              throw new AssertionError("asked for input");
            })
        .close();

    assertThat(found).hasSize(4);
    assertThat(found.get(1)).isCloseTo(6f, Offset.offset(0.01f));
  }

  @Test
  void predict_batches_areWhole() {
    try (Predictions predictions = model().predict(PredictSpec.of(points(1)).withBatches())) {
      List<Prediction> found = new ArrayList<>();
      predictions.forEach(found::add);
      assertThat(found).hasSize(1);
      assertThat(found.get(0).get("y").shape()).isEqualTo(Shape.of(2));
    }
  }

  // ---- model functions with missing parts ----

  @Test
  void train_functionWithoutLossOrTrainOp_saysWhich() {
    CustomEstimator noLoss =
        CustomEstimator.of(
            (tf, batch, context) ->
                EstimatorSpec.of(context.mode()).withPrediction("y", batch.features().dense("x")));
    CustomEstimator noTrainOp =
        CustomEstimator.of(
            (tf, batch, context) ->
                EstimatorSpec.of(context.mode()).withLoss(tf.mean(batch.features().dense("x"), 0)));

    requireFailure(() -> noLoss.train(points(1), 1), "no loss: call withLoss");
    requireFailure(() -> noTrainOp.train(points(1), 1), "no training operation");
    requireFailure(() -> noTrainOp.predict(points(1)).iterator().hasNext(), "no predictions");
  }

  @Test
  void evaluate_specThatIsWrong_saysWhatIs() {
    requireFailure(
        () -> changed(spec -> EstimatorSpec.of(ModeKeys.PREDICT)).evaluate(points(1)),
        "called for EVAL, but returned a spec for PREDICT");
    requireFailure(
        () ->
            changed(spec -> spec.withLoss(spec.predictions().get("y")).withPredictions(Map.of()))
                .withConfig(RunConfig.defaults())
                .evaluate(fixedBatch()),
        "the loss must be one number, got shape [2]");
    requireFailure(
        () ->
            changed(spec -> spec.withEvalMetric("loss", spec.evalMetrics().get("mean_y")))
                .evaluate(points(1)),
        "must not be called 'loss'");
  }

  private static InputFunction fixedBatch() {
    return (tf, context) -> {
      Batch batch = points(1).apply(tf, context);
      return batch.withFeatures(
          batch.features().and("x", tf.reshape(batch.features().dense("x"), 2)));
    };
  }

  @Test
  void train_inputWithoutLabels_saysSo() {
    InputFunction unlabelled =
        InputFunction.of(() -> Dataset.tensorSlices(Map.of("x", new float[] {1})).batch(1));

    requireFailure(() -> model().train(unlabelled, 1), "the input has none");
  }

  @Test
  void run_emptyInput_saysSo() {
    InputFunction empty =
        InputFunction.of(
            () ->
                Dataset.zip(
                        Dataset.tensorSlices(Map.of("x", new float[] {1})),
                        Dataset.tensorSlices(new float[] {1}))
                    .take(0)
                    .batch(2));

    requireFailure(() -> model().train(empty, 1), "the input has no batch");
    requireFailure(() -> model().evaluate(empty), "the evaluation's input has no batch");
    try (Predictions none = model().predict(empty)) {
      assertThat(none).isEmpty();
    }
  }

  // ---- folders ----

  @Test
  void evaluate_checkpointOfAnotherModel_saysSo() {
    model().train(points(-1), 1);
    CustomEstimator other =
        CustomEstimator.of(
                (tf, batch, context) -> {
                  VariableScope.of(tf).getVariable("v", Shape.of(3));
                  return line(tf, batch, context);
                })
            .withModelDir(folder);

    requireFailure(
        () -> other.evaluate(points(1)), "does not fit the model; was it written by another one?");
    assertThatThrownBy(() -> other.train(points(-1), 1)).hasMessageContaining("v");
  }

  @Test
  void modelDir_thatIsAFile_fails() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "x");

    assertThatThrownBy(
            () ->
                CustomEstimator.of(CustomEstimatorTest::line)
                    .withModelDir(file)
                    .train(points(-1), 1))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void modelDir_twoDifferentOnes_fail() {
    RunConfig config = RunConfig.defaults().withModelDir(folder.resolve("other"));

    requireFailure(() -> model().withConfig(config), "set one of them");
  }

  @Test
  void export_untrained_saysSo() {
    requireFailure(
        () -> model().exportSavedModel(folder.resolve("export"), tf -> null),
        "has no checkpoint; train the estimator first");
  }

  private static void requireFailure(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(TributaryException.class).hasMessageContaining(message);
  }
}
