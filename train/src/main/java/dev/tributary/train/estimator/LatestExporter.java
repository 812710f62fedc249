package dev.tributary.train.estimator;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An exporter of each evaluated model, of which the last few are kept. Immutable.
 *
 * @param keep the number of models to keep; all if empty
 */
public record LatestExporter(
    String name, ServingInputReceiver.Source receiver, ExportOptions options, OptionalInt keep)
    implements Exporter {
  /** Returns an exporter that keeps the last five. */
  public static LatestExporter of(String name, ServingInputReceiver.Source receiver) {
    return new LatestExporter(name, receiver, ExportOptions.defaults(), OptionalInt.of(5));
  }

  public LatestExporter withKeep(int count) {
    return new LatestExporter(name, receiver, options, OptionalInt.of(count));
  }

  public LatestExporter withKeepAll() {
    return new LatestExporter(name, receiver, options, OptionalInt.empty());
  }

  public LatestExporter withOptions(ExportOptions newOptions) {
    return new LatestExporter(name, receiver, newOptions, keep);
  }

  @Override
  public Optional<Path> export(
      Estimator<?> estimator, Path folder, Evaluation evaluation, boolean isLast) {
    Path exported = estimator.exportSavedModel(folder, receiver, evaluation.exportedBy(options));
    keep.ifPresent(new ExportFolder(folder)::keepNewest);
    return Optional.of(exported);
  }
}
