package dev.tributary.train.estimator;

import java.nio.file.Path;
import java.util.Optional;

/** An exporter of the model at the end of training. Immutable. */
public record FinalExporter(
    String name, ServingInputReceiver.Source receiver, ExportOptions options) implements Exporter {
  public static FinalExporter of(String name, ServingInputReceiver.Source receiver) {
    return new FinalExporter(name, receiver, ExportOptions.defaults());
  }

  public FinalExporter withOptions(ExportOptions newOptions) {
    return new FinalExporter(name, receiver, newOptions);
  }

  @Override
  public Optional<Path> export(
      Estimator<?> estimator, Path folder, Evaluation evaluation, boolean isLast) {
    return isLast
        ? Optional.of(estimator.exportSavedModel(folder, receiver, evaluation.exportedBy(options)))
        : Optional.empty();
  }
}
