package dev.tributary.train.data;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.ExampleFeatures;
import dev.tributary.record.Compression;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The sources of datasets, which programs call as methods of {@link Dataset}. */
abstract sealed class DatasetSources permits Dataset {
  /**
   * One element, the value itself.
   *
   * @param value a value as {@link dev.tributary.ops.Ops#variable(String, Object)} takes it, or an
   *     operand of the graph in which the dataset will be used
   */
  public static Dataset<Output> tensor(Object value) {
    return Dataset.of("tensor", TensorSources.whole(value));
  }

  /** The slices of a value along its first dimension. */
  public static Dataset<Output> tensorSlices(Object value) {
    return Dataset.of("tensorSlices", TensorSources.slices(value));
  }

  /** The slices of two values along their first dimensions, which must be equal. */
  public static Dataset<Pair<Output, Output>> tensorSlices(Object first, Object second) {
    return Dataset.of("tensorSlices", TensorSources.slices(first, second));
  }

  /** The slices of named values along their first dimensions, which must be equal. */
  public static Dataset<Examples> tensorSlices(Map<String, ?> features) {
    return Dataset.of("tensorSlices", TensorSources.slices(features));
  }

  /** The numbers from 0 to below {@code stop}, as int64. */
  public static Dataset<Output> range(long stop) {
    return range(0, stop, 1);
  }

  public static Dataset<Output> range(long start, long stop, long step) {
    return Dataset.of("range", TensorSources.range(start, stop, step));
  }

  /** Numbers without end: {@code start}, {@code start + step} and so on, as int64. */
  public static Dataset<Output> counter(long start, long step) {
    return range(start, step < 0 ? Long.MIN_VALUE : Long.MAX_VALUE, step);
  }

  /** Random numbers without end, each an int64 below 2^32, that follow from the seed. */
  public static Dataset<Output> random(long seed) {
    return Dataset.of("random", TensorSources.random(seed));
  }

  /**
   * The names of files that match a pattern, in alphabetical order. No match is INVALID_ARGUMENT.
   */
  public static Dataset<Output> listFiles(String pattern) {
    return Dataset.of("listFiles", FileSources.list(pattern));
  }

  /** The records of TFRecord files: one file, or those that match a pattern, by their names. */
  public static Dataset<Output> tfRecords(Path pattern) {
    return tfRecords(FileSources.named(pattern), FileOptions.defaults());
  }

  public static Dataset<Output> tfRecords(Dataset<Output> files, FileOptions options) {
    return FileSources.of("tfRecords", "TFRecordDataset", files, options);
  }

  /** The lines of text files: one file, or those that match a pattern, by their names. */
  public static Dataset<Output> textLines(Path pattern) {
    return textLines(FileSources.named(pattern), FileOptions.defaults());
  }

  public static Dataset<Output> textLines(Dataset<Output> files, FileOptions options) {
    return FileSources.of("textLines", "TextLineDataset", files, options);
  }

  /**
   * The records of files in which all records have the same length: one file, or those that match a
   * pattern.
   */
  public static Dataset<Output> fixedLength(Path pattern, int recordBytes) {
    return fixedLength(FileSources.named(pattern), recordBytes, 0, 0, FileOptions.defaults());
  }

  public static Dataset<Output> fixedLength(
      Dataset<Output> files,
      int recordBytes,
      int headerBytes,
      int footerBytes,
      FileOptions options) {
    return FileSources.fixedLength(files, recordBytes, headerBytes, footerBytes, options);
  }

  /**
   * The rows of CSV files (RFC 4180), a tensor for each column: one file, or those that match a
   * pattern. A row with other columns is INVALID_ARGUMENT at its place.
   */
  public static Dataset<List<Output>> csv(Path pattern, CsvOptions options) {
    return csv(FileSources.named(pattern), options);
  }

  public static Dataset<List<Output>> csv(Dataset<Output> files, CsvOptions options) {
    return FileSources.csv(files, options);
  }

  /**
   * Batches of rows of CSV files, by the names of their columns: shuffled and, unless {@code
   * epochs} say otherwise, without an end. What is not known of the columns is read from the files
   * at once: names from their headers, types from their first rows.
   *
   * @param pattern one file, or those that match
   * @param columns {@link CsvOptions#inferred}, or what is known of them
   */
  public static Dataset<Examples> makeCsvDataset(
      Path pattern, long batchSize, CsvOptions columns, EpochOptions epochs) {
    return ReadyMade.csv(pattern, batchSize, columns, epochs);
  }

  /** The same with one column apart from the others. */
  public static Dataset<Pair<Examples, Output>> makeCsvDataset(
      Path pattern, long batchSize, CsvOptions columns, String label, EpochOptions epochs) {
    return ReadyMade.csv(pattern, batchSize, columns, epochs.withPrefetch(0))
        .apply(examples -> ReadyMade.labelled(examples, label))
        .prefetch(epochs.prefetch());
  }

  /**
   * Batches of the examples in TFRecord files: shuffled and, unless {@code epochs} say otherwise,
   * without an end. Each batch is parsed at once.
   *
   * @param pattern one file, or those that match
   */
  public static Dataset<Examples> makeBatchedFeaturesDataset(
      Path pattern,
      long batchSize,
      ExampleFeatures features,
      FileOptions files,
      EpochOptions epochs) {
    return ReadyMade.features(pattern, batchSize, features, files, epochs);
  }

  /** The same with one feature apart from the others. */
  public static Dataset<Pair<Examples, Output>> makeBatchedFeaturesDataset(
      Path pattern,
      long batchSize,
      ExampleFeatures features,
      String label,
      FileOptions files,
      EpochOptions epochs) {
    return ReadyMade.features(pattern, batchSize, features, files, epochs.withPrefetch(0))
        .apply(examples -> ReadyMade.labelled(examples, label))
        .prefetch(epochs.prefetch());
  }

  /**
   * The features of serialized examples, each element a batch of them: faster than a {@code map}
   * with {@code parseExample}. To be used as {@code batches.apply(b -> parseExamples(b, features,
   * AUTOTUNE))}, too.
   *
   * @param calls how many batches are parsed at the same time, or {@link Dataset#AUTOTUNE}
   */
  public static Dataset<Examples> parseExamples(
      Dataset<Output> batches, ExampleFeatures features, int calls) {
    return batches.then("parseExamples", ReadyMade.parsing(features, calls));
  }

  /**
   * Elements that {@link Dataset#save} put into a folder.
   *
   * @param spec what they are
   */
  public static <E> Dataset<E> load(Path folder, ElementSpec<E> spec) {
    return load(folder, spec, Compression.NONE);
  }

  public static <E> Dataset<E> load(Path folder, ElementSpec<E> spec, Compression compression) {
    return Dataset.of("load", Stored.load(folder.toString(), spec, compression));
  }

  /** Elements of two datasets side by side, until one of them ends. */
  public static <A, B> Dataset<Pair<A, B>> zip(Dataset<A> first, Dataset<B> second) {
    return Dataset.of("zip", Joining.zip(first, second));
  }

  /** Elements of several datasets side by side, until one of them ends. */
  public static <E> Dataset<List<E>> zip(List<Dataset<E>> datasets) {
    return Dataset.of("zip", Joining.zip(List.copyOf(datasets)));
  }

  /**
   * Elements of several datasets, each from the one whose number comes next; a dataset that has
   * ended is passed over.
   */
  public static <E> Dataset<E> chooseFrom(List<Dataset<E>> datasets, Dataset<Output> numbers) {
    return Dataset.of("chooseFrom", Joining.choose(numbers, List.copyOf(datasets), false));
  }

  /** Elements of several datasets, drawn with these weights, until all have ended. */
  public static <E> Dataset<E> sampleFrom(List<Dataset<E>> datasets, double[] weights, long seed) {
    return sample(datasets, weights, seed, false);
  }

  /** The same until one of them has ended, so that the weights hold up to the last element. */
  public static <E> Dataset<E> sampleUntilFirstEnds(
      List<Dataset<E>> datasets, double[] weights, long seed) {
    return sample(datasets, weights, seed, true);
  }

  private static <E> Dataset<E> sample(
      List<Dataset<E>> datasets, double[] weights, long seed, boolean stopsAtFirstEnd) {
    if (weights.length != datasets.size()) {
      throw TributaryException.invalidArgument(
          "Dataset sampleFrom: %d weights for %d datasets: give one for each",
          weights.length, datasets.size());
    }
    Dataset<Output> draws = Joining.draws(weights.clone(), seed);
    return Dataset.of("sampleFrom", Joining.choose(draws, List.copyOf(datasets), stopsAtFirstEnd));
  }

  /**
   * The elements of an iterable, each pass with an iterator of its own; one that is {@code
   * AutoCloseable} is closed when its pass ends. The iterable stays in this process: a task of
   * another one fails and says so.
   *
   * @param values of Java: for an element of several components a {@link Pair}, a list, or a map of
   *     their names
   */
  public static <E> Dataset<E> generator(Iterable<?> values, ElementSpec<E> spec) {
    return Dataset.of("generator", HostCalls.generator(values, spec));
  }
}
