package dev.tributary.train.estimator;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The result of {@link Estimators#trainAndEvaluate}. Immutable.
 *
 * @param evaluation the last evaluation of this process; empty if it made none
 * @param exports the folders of the models that this process exported, the oldest first
 */
public record TrainingResult(Optional<Evaluation> evaluation, List<Path> exports) {
  public TrainingResult {
    exports = List.copyOf(exports);
  }
}
