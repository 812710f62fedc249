package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.bundle.BundleReader;
import dev.tributary.tensor.Tensor;
import dev.tributary.tensor.Value;
import dev.tributary.train.saver.Saver;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A model with a folder, in which its checkpoints and events are: it is trained, evaluated, used
 * and exported. Each of these builds a graph of its own and continues with the latest checkpoint of
 * the folder, so that they can run in different processes.
 *
 * <pre>{@code
 * DnnClassifier model =
 *     DnnClassifier.of(columns, hiddenUnits(128, 64), classes(2)).withModelDir(dir);
 * model.train(TrainSpec.of(trainInput).withSteps(1000));
 * double accuracy = model.evaluate(testInput).metric("accuracy");
 * try (Predictions predictions = model.predict(newInput)) {
 *   for (Prediction p : predictions) { ... }
 * }
 * Path exported =
 *     model.exportSavedModel(dir.resolve("export"), ServingInputReceiver.parsing(spec));
 * }</pre>
 *
 * <p>Immutable: {@code with} methods return another estimator. Its runs are confined to the thread
 * that calls; several threads may evaluate and predict while one trains.
 *
 * @param <E> the kind of this estimator
 */
public abstract class Estimator<E extends Estimator<E>> {
  private final EstimatorSettings settings;

  Estimator(EstimatorSettings settings) {
    this.settings = settings;
  }

  /** Returns the function that builds the model. */
  abstract ModelFunction modelFunction();

  /** Returns this estimator with other settings. */
  abstract E with(EstimatorSettings newSettings);

  final EstimatorSettings settings() {
    return settings;
  }

  // ---- settings ----

  /** Returns an estimator with another folder. */
  public final E withModelDir(Path folder) {
    return with(settings.withModelDir(folder));
  }

  public final E withConfig(RunConfig config) {
    return with(settings.withConfig(config));
  }

  /** Returns an estimator whose model function gets these settings. */
  public final E withParams(Map<String, ?> params) {
    return with(settings.withParams(params));
  }

  /** Returns an estimator whose variables begin with those of another model. */
  public final E withWarmStart(WarmStart warmStart) {
    return with(settings.withWarmStart(warmStart));
  }

  public final RunConfig config() {
    return settings.config();
  }

  public final Map<String, Object> params() {
    return settings.params();
  }

  /** Returns the folder of checkpoints and events; a temporary one if none was set. */
  public final Path modelDir() {
    return settings.modelDir();
  }

  /** Returns the folder of the events of evaluations with this name, which may be empty. */
  public final Path evalDir(String name) {
    return modelDir().resolve(name.isEmpty() ? "eval" : "eval_" + name);
  }

  // ---- the trained model ----

  /** Returns the prefix of the latest checkpoint, if there is one. */
  public final Optional<Path> latestCheckpoint() {
    return Saver.latestCheckpoint(modelDir());
  }

  /** Returns the names of all variables of the latest checkpoint. */
  public final List<String> variableNames() {
    return withCheckpoint(BundleReader::names);
  }

  /** Returns a variable's value in the latest checkpoint. NOT_FOUND lists those that exist. */
  public final Value variableValue(String name) {
    return withCheckpoint(
        checkpoint -> {
          if (checkpoint.find(name).isEmpty()) {
            throw TributaryException.notFound(
                "the checkpoint has no variable '%s'; there are %s", name, checkpoint.names());
          }
          try (Tensor value = checkpoint.read(name)) {
            return Value.copyOf(value);
          }
        });
  }

  private <T> T withCheckpoint(Function<BundleReader, T> use) {
    try (BundleReader checkpoint = BundleReader.open(requireCheckpoint())) {
      return use.apply(checkpoint);
    }
  }

  final Path requireCheckpoint() {
    return latestCheckpoint()
        .orElseThrow(
            () ->
                TributaryException.failedPrecondition(
                    "%s has no checkpoint; train the estimator first", modelDir()));
  }

  // ---- runs ----

  /** Trains for a number of steps, or until the input ends. */
  public final void train(InputFunction input, long steps) {
    train(TrainSpec.of(input).withSteps(steps));
  }

  /**
   * Trains, continuing from the latest checkpoint. Writes checkpoints, events and the graph to the
   * folder if this is the chief. In a cluster, the servers must be running ({@link
   * Estimators#trainAndEvaluate} starts them).
   */
  public final void train(TrainSpec spec) {
    new TrainingRun(this, spec).run();
  }

  /** Evaluates the latest checkpoint on the whole input. */
  public final Evaluation evaluate(InputFunction input) {
    return evaluate(EvalSpec.of(input).withAllSteps());
  }

  /**
   * Evaluates a checkpoint, and writes the metrics to the events of {@link #evalDir}. Without a
   * checkpoint, the model has its initial values.
   */
  public final Evaluation evaluate(EvalSpec spec) {
    return new EvaluationRun(this, spec).run();
  }

  /** Returns predictions for the examples of an input. */
  public final Predictions predict(InputFunction input) {
    return predict(PredictSpec.of(input));
  }

  /** Returns predictions, which are computed while they are iterated over. */
  public final Predictions predict(PredictSpec spec) {
    return new Predictions(this, spec);
  }

  /**
   * Exports the latest checkpoint for inference, as a SavedModel that TensorFlow Serving loads.
   *
   * @param base the folder that gets a folder for the model, called by the time in seconds
   * @return the folder of the model
   */
  public final Path exportSavedModel(Path base, ServingInputReceiver.Source receiver) {
    return exportSavedModel(base, receiver, ExportOptions.defaults());
  }

  /** Exports a checkpoint for inference. */
  public final Path exportSavedModel(
      Path base, ServingInputReceiver.Source receiver, ExportOptions options) {
    return exportAllSavedModels(base, Map.of(ModeKeys.PREDICT, receiver), options);
  }

  /**
   * Exports a checkpoint as one SavedModel with a meta graph for each mode, which share the
   * variables.
   */
  public final Path exportAllSavedModels(
      Path base, Map<ModeKeys, ServingInputReceiver.Source> receivers, ExportOptions options) {
    return new ModelExport(this, receivers, options).to(base);
  }

  @Override
  public String toString() {
    return getClass().getSimpleName();
  }
}
