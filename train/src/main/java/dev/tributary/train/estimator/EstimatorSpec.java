package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.model.Metric;
import dev.tributary.train.savedmodel.SavedModel;
import dev.tributary.train.session.Scaffold;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The model that a model function has built. {@link ModeKeys#TRAIN} needs a loss and a training
 * operation, {@link ModeKeys#EVAL} a loss, {@link ModeKeys#PREDICT} predictions. Immutable, but
 * hooks belong to one run.
 *
 * <pre>{@code
 * EstimatorSpec.of(context.mode()).withPrediction("y", y).withLoss(loss).withTrainOp(train)
 * }</pre>
 *
 * @param predictions outputs by name, whose first dimension is the batch
 * @param evalMetrics metrics of an evaluation besides the loss
 * @param exportOutputs signatures of an exported model; one of all predictions if empty
 * @param trainingHooks hooks of all workers
 * @param trainingChiefHooks hooks of the chief
 */
public record EstimatorSpec(
    ModeKeys mode,
    Map<String, Output> predictions,
    Optional<Output> loss,
    Optional<Operation> trainOp,
    Map<String, Metric> evalMetrics,
    Map<String, ExportOutput> exportOutputs,
    List<SessionRunHook> trainingHooks,
    List<SessionRunHook> trainingChiefHooks,
    List<SessionRunHook> evaluationHooks,
    List<SessionRunHook> predictionHooks,
    Scaffold scaffold) {
  /** The metric of each evaluation that is the mean loss of its batches. */
  static final String LOSS = "loss";

  /** The step of the evaluated model, among its metrics. */
  static final String GLOBAL_STEP = "global_step";

  public EstimatorSpec {
    predictions = Collections.unmodifiableMap(new LinkedHashMap<>(predictions));
    evalMetrics = Collections.unmodifiableMap(new LinkedHashMap<>(evalMetrics));
    exportOutputs = Collections.unmodifiableMap(new LinkedHashMap<>(exportOutputs));
    trainingHooks = List.copyOf(trainingHooks);
    trainingChiefHooks = List.copyOf(trainingChiefHooks);
    evaluationHooks = List.copyOf(evaluationHooks);
    predictionHooks = List.copyOf(predictionHooks);
  }

  /** Returns a spec without any parts. */
  public static EstimatorSpec of(ModeKeys mode) {
    return new EstimatorSpec(
        mode,
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        Scaffold.defaults());
  }

  public EstimatorSpec withPrediction(String name, Operand output) {
    return with(and(predictions, name, output.asOutput()), loss, trainOp, evalMetrics);
  }

  public EstimatorSpec withPredictions(Map<String, ? extends Operand> outputs) {
    Map<String, Output> all = new LinkedHashMap<>();
    outputs.forEach((name, output) -> all.put(name, output.asOutput()));
    return with(all, loss, trainOp, evalMetrics);
  }

  /** Sets the loss, one number. */
  public EstimatorSpec withLoss(Operand newLoss) {
    return with(predictions, Optional.of(newLoss.asOutput()), trainOp, evalMetrics);
  }

  /** Sets the operation of a training step, which increments the global step. */
  public EstimatorSpec withTrainOp(Operation operation) {
    return with(predictions, loss, Optional.of(operation), evalMetrics);
  }

  public EstimatorSpec withEvalMetric(String name, Metric metric) {
    return with(predictions, loss, trainOp, and(evalMetrics, name, metric));
  }

  public EstimatorSpec withEvalMetrics(Map<String, Metric> metrics) {
    return with(predictions, loss, trainOp, metrics);
  }

  private EstimatorSpec with(
      Map<String, Output> newPredictions,
      Optional<Output> newLoss,
      Optional<Operation> newTrainOp,
      Map<String, Metric> newMetrics) {
    return new EstimatorSpec(
        mode,
        newPredictions,
        newLoss,
        newTrainOp,
        newMetrics,
        exportOutputs,
        trainingHooks,
        trainingChiefHooks,
        evaluationHooks,
        predictionHooks,
        scaffold);
  }

  /** Adds a signature of an exported model. */
  public EstimatorSpec withExportOutput(String key, ExportOutput output) {
    return withExportOutputs(and(exportOutputs, key, output));
  }

  public EstimatorSpec withExportOutputs(Map<String, ExportOutput> outputs) {
    return new EstimatorSpec(
        mode,
        predictions,
        loss,
        trainOp,
        evalMetrics,
        outputs,
        trainingHooks,
        trainingChiefHooks,
        evaluationHooks,
        predictionHooks,
        scaffold);
  }

  public EstimatorSpec withTrainingHook(SessionRunHook hook) {
    return withHooks(
        and(trainingHooks, hook), trainingChiefHooks, evaluationHooks, predictionHooks);
  }

  public EstimatorSpec withTrainingChiefHook(SessionRunHook hook) {
    return withHooks(
        trainingHooks, and(trainingChiefHooks, hook), evaluationHooks, predictionHooks);
  }

  public EstimatorSpec withEvaluationHook(SessionRunHook hook) {
    return withHooks(
        trainingHooks, trainingChiefHooks, and(evaluationHooks, hook), predictionHooks);
  }

  public EstimatorSpec withPredictionHook(SessionRunHook hook) {
    return withHooks(
        trainingHooks, trainingChiefHooks, evaluationHooks, and(predictionHooks, hook));
  }

  private EstimatorSpec withHooks(
      List<SessionRunHook> training,
      List<SessionRunHook> chief,
      List<SessionRunHook> evaluation,
      List<SessionRunHook> prediction) {
    return new EstimatorSpec(
        mode,
        predictions,
        loss,
        trainOp,
        evalMetrics,
        exportOutputs,
        training,
        chief,
        evaluation,
        prediction,
        scaffold);
  }

  /** Sets pieces of the session that differ from the default, such as a saver. */
  public EstimatorSpec withScaffold(Scaffold newScaffold) {
    return new EstimatorSpec(
        mode,
        predictions,
        loss,
        trainOp,
        evalMetrics,
        exportOutputs,
        trainingHooks,
        trainingChiefHooks,
        evaluationHooks,
        predictionHooks,
        newScaffold);
  }

  private static <V> Map<String, V> and(Map<String, V> map, String key, V value) {
    Map<String, V> more = new LinkedHashMap<>(map);
    more.put(key, value);
    return more;
  }

  private static <V> List<V> and(List<V> list, V element) {
    List<V> more = new ArrayList<>(list);
    more.add(element);
    return more;
  }

  /** Fails unless the parts that the mode needs are there and belong to the graph. */
  EstimatorSpec checked(ModeKeys asked, Graph graph) {
    if (mode != asked) {
      throw wrong("the model function was called for %s, but returned a spec for %s", asked, mode);
    }
    if (mode != ModeKeys.PREDICT) {
      requireLoss();
    }
    if (mode == ModeKeys.TRAIN && trainOp.isEmpty()) {
      throw wrong("the model function returned no training operation: call withTrainOp");
    }
    if (mode == ModeKeys.PREDICT && predictions.isEmpty()) {
      throw wrong("the model function returned no predictions: call withPrediction");
    }
    for (String reserved : List.of(LOSS, GLOBAL_STEP)) {
      if (evalMetrics.containsKey(reserved)) {
        throw wrong("a metric must not be called '%s', which evaluations add themselves", reserved);
      }
    }
    predictions.forEach((name, output) -> requireIn(graph, name, output));
    loss.ifPresent(output -> requireIn(graph, LOSS, output));
    evalMetrics.forEach((name, metric) -> requireIn(graph, name, metric.update()));
    return this;
  }

  private void requireLoss() {
    if (loss.isEmpty()) {
      throw wrong("the model function returned no loss: call withLoss");
    }
    var shape = loss.get().shape();
    if (shape.isFullyDefined() && shape.elementCount() != 1) {
      throw wrong("the loss must be one number, got shape %s", shape);
    }
    if (!loss.get().type().isFloating()) {
      throw wrong("the loss must be a float, got %s", loss.get().type().lowerName());
    }
  }

  private void requireIn(Graph graph, String name, Output output) {
    if (output.graph() != graph) {
      throw wrong(
          "'%s' (%s) is in another graph: the model function must build all in the graph that it"
              + " is given",
          name, output.name());
    }
  }

  private TributaryException wrong(String format, Object... arguments) {
    return TributaryException.invalidArgument(
        "estimator, mode %s: %s", mode, String.format(format, arguments));
  }

  /** Returns the signatures of an exported model, of which one is the default. */
  Map<String, ExportOutput> signatures() {
    if (exportOutputs.isEmpty()) {
      return Map.of(SavedModel.SERVING_DEFAULT, ExportOutput.predict(predictions));
    }
    Set<String> keys = exportOutputs.keySet();
    if (keys.contains(SavedModel.SERVING_DEFAULT)) {
      return exportOutputs;
    }
    if (keys.size() > 1) {
      throw wrong(
          "of several export outputs one must be called '%s', got %s",
          SavedModel.SERVING_DEFAULT, keys);
    }
    return and(exportOutputs, SavedModel.SERVING_DEFAULT, exportOutputs.values().iterator().next());
  }
}
