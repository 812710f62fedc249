package dev.tributary.train.estimator;

import java.nio.file.Path;
import java.util.Optional;

/** Exports models after evaluations of {@link Estimators#trainAndEvaluate}. Immutable. */
public interface Exporter {
  /** Returns the name of the folder of its models below {@code export} in the model's folder. */
  String name();

  /**
   * Exports the evaluated model, if it is one that the exporter wants.
   *
   * @param folder the folder of the exporter's models
   * @param evaluation the result, with the checkpoint that was evaluated
   * @param isLast whether training has ended
   * @return the folder of the exported model, if one was exported
   */
  Optional<Path> export(Estimator<?> estimator, Path folder, Evaluation evaluation, boolean isLast);
}
