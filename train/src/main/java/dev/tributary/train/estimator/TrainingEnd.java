package dev.tributary.train.estimator;

import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.PartFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * The end of a training, as all tasks of a cluster can see it in the model's folder, also those
 * that are started again after it. The chief writes a file when training ends before the last step
 * that was asked for, because of its input or a hook. Immutable.
 *
 * @param begun the start of this process; a mark from before belongs to another training
 */
record TrainingEnd(Path modelDir, OptionalLong maxSteps, Instant begun) {
  private static final String MARK = "training_ended";

  static TrainingEnd of(Estimator<?> estimator, TrainSpec spec) {
    return new TrainingEnd(estimator.modelDir(), spec.maxSteps(), Instant.now());
  }

  boolean isReached() {
    boolean isTrained =
        maxSteps.isPresent() && TrainingRun.isTrained(modelDir, maxSteps.getAsLong());
    return isTrained || isMarked();
  }

  private boolean isMarked() {
    Path mark = modelDir.resolve(MARK);
    try {
      return !Files.getLastModifiedTime(mark).toInstant().isBefore(begun);
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw FileFailure.of("look for the end of training", mark, e);
    }
  }

  /** Marks the end; called by the chief. */
  void mark() {
    PartFile.write(
        modelDir.resolve(MARK), Instant.now().toString().getBytes(StandardCharsets.UTF_8));
  }
}
