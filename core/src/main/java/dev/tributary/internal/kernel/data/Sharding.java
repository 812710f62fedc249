package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The share of one worker in a pipeline: datasets of which it gets every n-th element, wherever in
 * the pipeline they are. Passes know it from their context, so nothing is built again.
 *
 * @param cuts the datasets
 * @param isOfFiles whether their elements name files, of which each worker has to have one
 * @param fillsHints whether stages of {@code shard(SHARD_HINT, SHARD_HINT)} take this share
 */
record Sharding(
    Set<Dataset> cuts, boolean isOfFiles, boolean fillsHints, long workers, long index) {
  /** The number of shards that a program gives where the runtime is to choose. */
  static final long HINT = -1;

  private static final int OFF = -1;
  private static final int AUTO = 0;
  private static final int FILE = 1;
  private static final int DATA = 2;
  private static final int BY_HINT = 3;

  /** Ops whose datasets are the contents of files, as TensorFlow knows them. */
  static final Set<String> READERS =
      Set.of(
          "FixedLengthRecordDataset",
          "FixedLengthRecordDatasetV2",
          "TextLineDataset",
          "TFRecordDataset",
          "TFRecordDatasetV2");

  private static final Set<String> JOINING = Set.of("ConcatenateDataset", "ZipDataset");

  /** Ops in front of which TensorFlow looks for files, without their versions. */
  private static final Set<String> PASSED =
      Set.of(
          "BatchDataset",
          "CacheDataset",
          "ExperimentalMapAndBatchDataset",
          "ExperimentalParseExampleDataset",
          "ExperimentalRebatchDataset",
          "FilterDataset",
          "MapAndBatchDataset",
          "MapDataset",
          "PaddedBatchDataset",
          "ParallelBatchDataset",
          "ParallelMapDataset",
          "ParseExampleDataset",
          "PrefetchDataset",
          "RebatchDataset",
          "RepeatDataset",
          "ShardDataset",
          "ShuffleAndRepeatDataset",
          "ShuffleDataset",
          "SkipDataset",
          "TakeDataset",
          "WindowDataset");

  Sharding {
    cuts = Set.copyOf(cuts);
  }

  /** Fails with NOT_FOUND if the policy wants files and the pipeline reads none. */
  static Sharding of(String stage, Dataset input, long policy, long workers, long index) {
    if (workers <= 0) {
      throw TributaryException.invalidArgument(
          "%s: num_workers should be >= 1, currently %d", stage, workers);
    }
    if (index < 0 || index >= workers) {
      throw TributaryException.invalidArgument(
          "%s: index should be >= 0 and < num_workers = %d, currently %d", stage, workers, index);
    }
    return switch (Math.toIntExact(policy)) {
      case OFF -> new Sharding(Set.of(), false, false, workers, index);
      case BY_HINT -> new Sharding(Set.of(), false, true, workers, index);
      case DATA -> ofElements(input, workers, index);
      case AUTO ->
          namesOfFiles(input)
              .map(names -> new Sharding(names, true, false, workers, index))
              .orElseGet(() -> ofElements(input, workers, index));
      case FILE ->
          namesOfFiles(input)
              .map(names -> new Sharding(names, true, false, workers, index))
              .orElseThrow(
                  () ->
                      TributaryException.notFound(
                          "%s: Did not find a shardable source: FILE shards the names of files that"
                              + " flat_map or interleave opens, and this pipeline has none. Shard"
                              + " by DATA, or AUTO.",
                          stage));
      default ->
          throw TributaryException.invalidArgument(
              "%s: auto_shard_policy %d is not one of -1 (OFF), 0 (AUTO), 1 (FILE), 2 (DATA) and 3"
                  + " (HINT)",
              stage, policy);
    };
  }

  /** In front of the prefetch at the end, which then holds what the worker keeps. */
  private static Sharding ofElements(Dataset input, long workers, long index) {
    Dataset last = input;
    while (last.op().equals("PrefetchDataset")) {
      last = last.inputs().get(0);
    }
    return new Sharding(Set.of(last), false, false, workers, index);
  }

  /** The datasets of file names behind a dataset; nothing if one of its sources is no file. */
  private static Optional<Set<Dataset>> namesOfFiles(Dataset dataset) {
    if (dataset.opensFiles()) {
      return Optional.of(Set.of(inFrontOfShuffle(dataset.inputs().get(0))));
    }
    String op = dataset.op().replaceFirst("V[0-9]+$", "");
    if (PASSED.contains(op)) {
      return namesOfFiles(dataset.inputs().get(0));
    }
    if (!JOINING.contains(op)) {
      return Optional.empty();
    }
    Set<Dataset> all = new LinkedHashSet<>();
    for (Dataset input : dataset.inputs()) {
      Optional<Set<Dataset>> names = namesOfFiles(input);
      if (names.isEmpty()) {
        return Optional.empty();
      }
      all.addAll(names.get());
    }
    return Optional.of(all);
  }

  /** Workers that each shuffle all names would leave some out and read others twice. */
  private static Dataset inFrontOfShuffle(Dataset names) {
    Dataset first = names;
    while (first.op().startsWith("ShuffleDataset")) {
      first = first.inputs().get(0);
    }
    return first;
  }

  boolean cuts(Dataset dataset) {
    return cuts.contains(dataset);
  }

  /** The number of elements of a share, which for files is not known. */
  long cardinality(long ofInput) {
    if (cuts.isEmpty() && !fillsHints) {
      return ofInput;
    }
    return isOfFiles || fillsHints
        ? Cardinality.UNKNOWN
        : Cardinality.shard(ofInput, workers, index);
  }

  /** The worker's part of a pass over one of the datasets. */
  ElementIterator share(IteratorContext context, ElementIterator pass) {
    return isOfFiles
        ? SelectingIterator.shardOfFiles(context, pass, workers, index)
        : SelectingIterator.shard(context, pass, workers, index);
  }

  /** A stage of {@code shard(SHARD_HINT, SHARD_HINT)}. */
  static ElementIterator ofHint(IteratorContext context, Dataset input) {
    Sharding sharding =
        context
            .sharding()
            .filter(Sharding::fillsHints)
            .orElseThrow(
                () ->
                    TributaryException.failedPrecondition(
                        "`shard(SHARD_HINT, ...)` can only be used in front of autoShard with the"
                            + " policy HINT"));
    return SelectingIterator.shard(
        context, input.iterator(context), sharding.workers(), sharding.index());
  }
}
