package dev.tributary.train.data;

import dev.tributary.error.TributaryException;
import java.util.OptionalLong;

/**
 * The number and the order of the examples that {@link Dataset#makeCsvDataset} and {@link
 * Dataset#makeBatchedFeaturesDataset} give. Immutable.
 *
 * @param epochs how often each example comes, -1 for any number of times
 * @param shuffleBuffer the number of examples among which the next one is chosen, 0 to keep the
 *     order
 * @param seed of the order of files and examples; another order in each run if there is none
 * @param prefetch batches that are made ahead, or {@link Dataset#AUTOTUNE}
 * @param dropFinalBatch leaves out a batch at the end that is smaller; without an end there is none
 */
public record EpochOptions(
    long epochs, long shuffleBuffer, OptionalLong seed, long prefetch, boolean dropFinalBatch) {
  private static final long USUAL_BUFFER = 10_000;

  private static final EpochOptions DEFAULTS =
      new EpochOptions(-1, USUAL_BUFFER, OptionalLong.empty(), Dataset.AUTOTUNE, false);

  public EpochOptions {
    if (epochs < -1) {
      throw TributaryException.invalidArgument(
          "epochs is %d: give how often each example comes, or -1 for any number of times", epochs);
    }
    if (shuffleBuffer < 0) {
      throw TributaryException.invalidArgument(
          "shuffleBuffer is %d: give 0 to keep the order, or more", shuffleBuffer);
    }
    if (prefetch < Dataset.AUTOTUNE) {
      throw TributaryException.invalidArgument(
          "prefetch is %d: give 0 or more, or AUTOTUNE", prefetch);
    }
  }

  /** As in TensorFlow: shuffled, without an end, batches made ahead. */
  public static EpochOptions defaults() {
    return DEFAULTS;
  }

  public EpochOptions withEpochs(long count) {
    return new EpochOptions(count, shuffleBuffer, seed, prefetch, dropFinalBatch);
  }

  public EpochOptions withShuffleBuffer(long examples) {
    return new EpochOptions(epochs, examples, seed, prefetch, dropFinalBatch);
  }

  /** Keeps the order of the examples in their files, and that of the files. */
  public EpochOptions withoutShuffle() {
    return withShuffleBuffer(0);
  }

  public EpochOptions withSeed(long number) {
    return new EpochOptions(
        epochs, shuffleBuffer, OptionalLong.of(number), prefetch, dropFinalBatch);
  }

  public EpochOptions withPrefetch(long batches) {
    return new EpochOptions(epochs, shuffleBuffer, seed, batches, dropFinalBatch);
  }

  public EpochOptions withoutFinalBatch() {
    return new EpochOptions(epochs, shuffleBuffer, seed, prefetch, true);
  }

  /** The names of the files in the order in which they are read. */
  <E> Dataset<E> files(Dataset<E> names, long count) {
    return shuffleBuffer == 0 ? names : names.then("shuffle", Stages.shuffle(count, seed, true));
  }

  /** Batches of examples, for all epochs. */
  <E> Dataset<E> batches(Dataset<E> examples, long size) {
    Dataset<E> shuffled =
        shuffleBuffer == 0
            ? examples
            : examples.then("shuffle", Stages.shuffle(shuffleBuffer, seed, true));
    return shuffled.repeat(epochs).batch(size, dropFinalBatch || epochs == -1);
  }
}
