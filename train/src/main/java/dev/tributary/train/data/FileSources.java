package dev.tributary.train.data;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.op.AttrValue;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;

/** Sources whose elements are the names of files, or the records in them. */
final class FileSources {
  private static final String WILDCARDS = "*?[";

  /** The sizes that TensorFlow's clients send; stock servers need some for CSV. */
  private static final long BUFFER = 256 << 10;

  private static final long CSV_BUFFER = 4 << 20;

  private FileSources() {}

  /** One file, or those that match a pattern when a pass begins. */
  static Dataset<Output> named(Path pattern) {
    String text = pattern.toString();
    boolean isPattern = text.chars().anyMatch(c -> WILDCARDS.indexOf(c) >= 0);
    return isPattern ? Dataset.listFiles(text) : Dataset.tensor(text);
  }

  static Dataset.Source<Output> list(String pattern) {
    return building -> {
      Ops tf = building.tf();
      Output names = tf.io.matchingFiles(tf.constant(pattern));
      Operation matched =
          tf.strings.assertThat(
              tf.greater(tf.size(names), tf.constant(0)),
              tf.constant("No files matched pattern: " + pattern));
      Output checked = tf.withControlDependencies(matched).identity(names);
      return building.finish(
          building.op("TensorSliceDataset").inputList(List.of(checked)).attr("is_files", true),
          "Toutput_types",
          Building.strings());
    };
  }

  static Dataset<Output> of(String name, String op, Dataset<Output> files, FileOptions options) {
    return reading(
        name,
        files,
        options,
        Building.strings(),
        (building, file) ->
            building.op(
                op,
                file,
                building.tf().constant(options.compression().attributeValue()),
                buffer(building, options, BUFFER)));
  }

  static Dataset<Output> fixedLength(
      Dataset<Output> files, int record, int header, int footer, FileOptions options) {
    if (record < 1 || header < 0 || footer < 0) {
      throw TributaryException.invalidArgument(
          "Dataset fixedLength: records of %d bytes, a header of %d and a footer of %d: records"
              + " need a byte or more",
          record, header, footer);
    }
    return reading(
        "fixedLength",
        files,
        options,
        Building.strings(),
        (building, file) ->
            building.op(
                "FixedLengthRecordDatasetV2",
                file,
                building.scalar(header),
                building.scalar(record),
                building.scalar(footer),
                buffer(building, options, BUFFER),
                building.tf().constant(options.compression().attributeValue())));
  }

  static Dataset<List<Output>> csv(Dataset<Output> files, CsvOptions options) {
    if (options.columns().isEmpty()) {
      throw TributaryException.invalidArgument(
          "Dataset csv: the columns are not known: give CsvOptions.columns, or use makeCsvDataset,"
              + " which finds them in the files");
    }
    List<Given> defaults =
        options.columns().stream()
            .map(column -> column instanceof DataType type ? none(type) : Given.of(column))
            .toList();
    return reading(
        "csv",
        files,
        options.files(),
        csvColumns(defaults),
        (building, file) -> csvReader(building, file, defaults, options));
  }

  /** A default that there is not: no field of the column may be empty. */
  static Given none(DataType type) {
    try (Tensor empty = Tensor.zeros(type, Shape.of(0))) {
      return Given.of(empty);
    }
  }

  private static ElementSpec<List<Output>> csvColumns(List<Given> defaults) {
    return ElementSpec.list(
        defaults.stream()
            .map(column -> ElementSpec.tensor(column.type(), Shape.scalar()))
            .toList());
  }

  private static OperationBuilder csvReader(
      Building building, Output file, List<Given> defaults, CsvOptions options) {
    Ops tf = building.tf();
    OperationBuilder reader =
        building
            .op(
                "CSVDataset",
                file,
                tf.constant(options.files().compression().attributeValue()),
                buffer(building, options.files(), CSV_BUFFER),
                tf.constant(options.hasHeader()),
                tf.constant(options.delimiter()),
                tf.constant(options.hasQuotes()),
                tf.constant(options.naValue()),
                tf.constant(options.selected()))
            .inputList(defaults.stream().map(column -> column.in(tf)).toList());
    return reader.attr("output_shapes", AttrValue.ofShapes(csvColumns(defaults).shapes()));
  }

  /** Reads each file with a dataset of its own, so that a file is opened when its turn comes. */
  private static <R> Dataset<R> reading(
      String name,
      Dataset<Output> files,
      FileOptions options,
      ElementSpec<R> spec,
      BiFunction<Building, Output, OperationBuilder> reader) {
    BiFunction<Ops, Output, Dataset<R>> open =
        (tf, file) ->
            Dataset.of(name, inside -> new Built<>(reader.apply(inside, file).buildOutput(), spec));
    int reads = options.parallelReads();
    Dataset.Stage<Output, R> stage =
        reads == 1 ? Calls.flatMap(open) : Calls.parallelInterleave(open, reads, 1, reads, true);
    return files.then(
        name,
        (building, input) -> {
          requireNames(input.spec());
          return stage.build(building, input);
        });
  }

  private static Output buffer(Building building, FileOptions options, long usual) {
    return building.scalar(options.bufferBytes() == 0 ? usual : options.bufferBytes());
  }

  private static void requireNames(ElementSpec<Output> spec) {
    Shape shape = spec.shapes().get(0);
    boolean isName = !shape.hasRank() || shape.isScalar();
    if (spec.types().get(0) != DataType.STRING || !isName) {
      throw TributaryException.invalidArgument(
          "names of files must be string scalars, got %s: use listFiles, or slices of strings",
          spec);
    }
  }
}
