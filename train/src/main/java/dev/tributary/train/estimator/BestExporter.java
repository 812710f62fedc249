package dev.tributary.train.estimator;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * An exporter of each model that is better than all before it, by default one with a smaller loss.
 * It looks at the events of earlier evaluations, so that it continues where an earlier process
 * stopped. Immutable.
 *
 * @param evalFolder the folder of these events in the model's folder
 * @param metric the compared metric
 * @param higherIsBetter whether a model with a higher metric is better
 * @param keep the number of models to keep; all if empty
 */
public record BestExporter(
    String name,
    ServingInputReceiver.Source receiver,
    ExportOptions options,
    String evalFolder,
    String metric,
    boolean higherIsBetter,
    OptionalInt keep)
    implements Exporter {
  /** Returns an exporter of models with a smaller loss, which keeps the last five. */
  public static BestExporter of(String name, ServingInputReceiver.Source receiver) {
    return new BestExporter(
        name,
        receiver,
        ExportOptions.defaults(),
        "eval",
        EstimatorSpec.LOSS,
        false,
        OptionalInt.of(5));
  }

  /** Returns an exporter of models with a higher metric, such as the accuracy. */
  public BestExporter withHighest(String newMetric) {
    return new BestExporter(name, receiver, options, evalFolder, newMetric, true, keep);
  }

  /** Returns an exporter of models with a smaller metric. */
  public BestExporter withLowest(String newMetric) {
    return new BestExporter(name, receiver, options, evalFolder, newMetric, false, keep);
  }

  /** Returns an exporter for an evaluation with a name, whose folder is {@code eval_name}. */
  public BestExporter withEvalFolder(String folder) {
    return new BestExporter(name, receiver, options, folder, metric, higherIsBetter, keep);
  }

  public BestExporter withKeep(int count) {
    return new BestExporter(
        name, receiver, options, evalFolder, metric, higherIsBetter, OptionalInt.of(count));
  }

  public BestExporter withOptions(ExportOptions newOptions) {
    return new BestExporter(name, receiver, newOptions, evalFolder, metric, higherIsBetter, keep);
  }

  @Override
  public Optional<Path> export(
      Estimator<?> estimator, Path folder, Evaluation evaluation, boolean isLast) {
    double now = evaluation.metric(metric);
    OptionalDouble best = best(estimator.modelDir().resolve(evalFolder), evaluation.globalStep());
    boolean isBetter =
        best.isEmpty() || (higherIsBetter ? now > best.getAsDouble() : now < best.getAsDouble());
    if (!isBetter) {
      return Optional.empty();
    }
    Path exported = estimator.exportSavedModel(folder, receiver, evaluation.exportedBy(options));
    keep.ifPresent(new ExportFolder(folder)::keepNewest);
    return Optional.of(exported);
  }

  /** The best of earlier evaluations; the events hold this one, too. */
  private OptionalDouble best(Path events, long step) {
    var earlier = EvalEvents.of(events, metric).headMap(step).values().stream().mapToDouble(v -> v);
    return higherIsBetter ? earlier.max() : earlier.min();
  }
}
