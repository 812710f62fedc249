package dev.tributary.train.data;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.internal.file.FilePattern;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.ops.ExampleFeatures;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** Whole pipelines from files to batches, as training wants them. */
final class ReadyMade {
  private ReadyMade() {}

  // ---- CSV ----

  static Dataset<Examples> csv(Path pattern, long batch, CsvOptions options, EpochOptions epochs) {
    List<String> files = files("makeCsvDataset", pattern);
    CsvInference inference = new CsvInference(files, options);
    List<String> all = inference.names();
    List<Long> numbers = numbers(all, options);
    List<String> names = numbers.stream().map(number -> all.get((int) (long) number)).toList();
    List<Object> defaults =
        options.columns().isEmpty() ? inference.defaults(all, numbers) : options.columns();
    if (defaults.size() != numbers.size()) {
      throw TributaryException.invalidArgument(
          "Dataset makeCsvDataset: %d columns are described, but %d are read, %s: describe each",
          defaults.size(), names.size(), names);
    }
    List<Long> selected = numbers.size() == all.size() ? List.of() : numbers;
    Dataset<List<Output>> rows =
        Dataset.csv(
            epochs.files(named(files), files.size()),
            options.resolved(defaults, selected, options.files()));
    return epochs
        .batches(rows, batch)
        .map((tf, columns) -> examples(names, columns))
        .prefetch(epochs.prefetch());
  }

  private static List<Long> numbers(List<String> names, CsvOptions options) {
    List<Long> numbers = new ArrayList<>();
    for (String name : options.selectedNames()) {
      if (!names.contains(name)) {
        throw TributaryException.notFound(
            "Dataset makeCsvDataset: there is no column '%s'; there are %s", name, names);
      }
      numbers.add((long) names.indexOf(name));
    }
    for (long number : options.selected()) {
      if (number < 0 || number >= names.size()) {
        throw TributaryException.notFound(
            "Dataset makeCsvDataset: there is no column %d; there are %s", number, names);
      }
      numbers.add(number);
    }
    return numbers.isEmpty()
        ? LongStream.range(0, names.size()).boxed().toList()
        : numbers.stream().sorted().toList();
  }

  private static Examples examples(List<String> names, List<Output> columns) {
    Map<String, Output> features = new TreeMap<>();
    for (int i = 0; i < names.size(); i++) {
      features.put(names.get(i), columns.get(i));
    }
    return Examples.of(features);
  }

  // ---- examples ----

  static Dataset<Examples> features(
      Path pattern,
      long batch,
      ExampleFeatures features,
      FileOptions reading,
      EpochOptions epochs) {
    List<String> files = files("makeBatchedFeaturesDataset", pattern);
    Dataset<Output> records = Dataset.tfRecords(epochs.files(named(files), files.size()), reading);
    Dataset<Output> batches = epochs.batches(records, batch);
    return Dataset.parseExamples(batches, features, Dataset.AUTOTUNE).prefetch(epochs.prefetch());
  }

  /** Parses each element, a batch of serialized examples. */
  static Dataset.Stage<Output, Examples> parsing(ExampleFeatures features, int calls) {
    Calls.requireCalls("parseExamples", calls);
    return (building, input) -> {
      Shape batch = input.spec().shapes().get(0);
      if (input.spec().types().get(0) != DataType.STRING || batch.hasRank() && batch.rank() != 1) {
        throw TributaryException.invalidArgument(
            "examples are parsed from batches of strings, got %s: put batch before it",
            input.spec());
      }
      return building.finish(
          building
              .op("ParseExampleDatasetV2", input.variant(), building.scalar(calls))
              .inputList(
                  features.fixedKeys().stream().map(k -> none(building, features, k)).toList())
              .attr("sparse_keys", features.varyingKeys())
              .attr("dense_keys", features.fixedKeys())
              .attr("sparse_types", features.varyingKeys().stream().map(features::type).toList())
              .attr("Tdense", features.fixedKeys().stream().map(features::type).toList())
              .attr("dense_shapes", features.fixedKeys().stream().map(features::shape).toList())
              .attr("deterministic", "true"),
          parsed(features, batch.hasRank() ? batch : Shape.of(Shape.UNKNOWN)));
    };
  }

  /** A default without an element: each example must have the feature. */
  private static Output none(Building building, ExampleFeatures features, String key) {
    return FileSources.none(features.type(key)).in(building.tf());
  }

  private static ElementSpec<Examples> parsed(ExampleFeatures features, Shape batch) {
    Map<String, ElementSpec<?>> specs = new TreeMap<>();
    for (String key : features.fixedKeys()) {
      specs.put(
          key, ElementSpec.tensor(features.type(key), batch.concatenate(features.shape(key))));
    }
    for (String key : features.varyingKeys()) {
      specs.put(key, ElementSpec.sparse(features.type(key)));
    }
    return ElementSpec.examples(specs);
  }

  // ---- shared ----

  /** Takes one feature of examples for their label. */
  static Dataset<Pair<Examples, Output>> labelled(Dataset<Examples> examples, String label) {
    return examples.map((tf, all) -> Pair.of(all.without(label), all.get(label)));
  }

  private static List<String> files(String stage, Path pattern) {
    List<String> files =
        FilePattern.matches(FileRoot.anywhere(), pattern.toString()).stream().sorted().toList();
    if (files.isEmpty()) {
      throw TributaryException.invalidArgument(
          "Dataset %s: No files matched pattern: %s", stage, pattern);
    }
    return files;
  }

  private static Dataset<Output> named(List<String> files) {
    return Dataset.tensorSlices(files.toArray(String[]::new));
  }
}
