package dev.tributary.cluster.server;

import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.internal.op.ArgDef;
import dev.tributary.internal.op.AttrDef;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.op.AttrValue;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** All ops that are given the names of files, and how a graph calls them with a name. */
final class FileOps {
  /** What inputs and attributes are called that name files. */
  private static final Pattern FILE_NAME =
      Pattern.compile(
          "file|path|prefix|pattern|folder|dir|basename|location|uri|url|descriptor_source");

  /** Readers have their names from a queue. */
  private static final String WORK_QUEUE = "queue_handle";

  /** Ops that only look as if they named files. */
  static final Set<String> NAMES_ONLY =
      Set.of(
          "RegexFullMatch", // Has a pattern of text.
          "RegexReplace",
          "StaticRegexFullMatch",
          "StaticRegexReplace",
          "ShardedFilename", // Makes a name.
          "ShardedFilespec", // Makes a pattern.
          "TPUReplicateMetadata"); // Describes a compilation.

  /**
   * A name's meaning: a file, or the files that begin with a prefix, or a folder that is made if
   * there is none. The files of a cache are made if there are none. An empty name of a cache means
   * the memory, and that of an optional file none. Saved elements have a folder.
   */
  enum Kind {
    FILE,
    OPTIONAL_FILE,
    FOLDER,
    CHECKPOINT,
    CACHE,
    ELEMENTS;

    boolean mayBeEmpty() {
      return this == OPTIONAL_FILE || this == CACHE;
    }
  }

  /** A call of an op with one file name. */
  record Call(String op, String title, Kind kind, Maker maker) {
    @Override
    public String toString() {
      return title.isEmpty() ? op : op + " " + title;
    }
  }

  interface Maker {
    /** The operations to run, one after the other; the last one uses the file. */
    List<Operation> make(Ops tf, String name);
  }

  private FileOps() {}

  static List<Call> all() {
    List<Call> all = new ArrayList<>();
    all.add(file("ReadFile", (tf, name) -> one(tf.io.readFile(tf.constant(name)))));
    all.add(
        file(
            "WriteFile",
            (tf, name) -> List.of(tf.io.writeFile(tf.constant(name), tf.constant("text")))));
    all.add(
        file(
            "MatchingFiles",
            (tf, name) ->
                one(tf.scope().operation("MatchingFiles").input(tf.constant(name)).buildOutput())));
    all.add(
        checkpoint(
            "SaveV2",
            "",
            (tf, name) ->
                List.of(
                    tf.io.saveV2(tf.constant(name), x(tf), whole(tf), List.of(tf.constant(1f))))));
    all.add(
        checkpoint(
            "RestoreV2",
            "",
            (tf, name) ->
                one(
                    tf.io
                        .restoreV2(tf.constant(name), x(tf), whole(tf), List.of(DataType.FLOAT))
                        .get(0))));
    all.add(
        file(
            "Save",
            (tf, name) ->
                List.of(
                    tf.scope()
                        .operation("Save")
                        .input(tf.constant(name))
                        .input(x(tf))
                        .inputList(List.of(tf.constant(1f)))
                        .build())));
    all.add(
        file(
            "SaveSlices",
            (tf, name) ->
                List.of(
                    tf.scope()
                        .operation("SaveSlices")
                        .input(tf.constant(name))
                        .input(x(tf))
                        .input(whole(tf))
                        .inputList(List.of(tf.constant(1f)))
                        .build())));
    all.add(
        checkpoint(
            "Restore",
            "",
            (tf, name) ->
                List.of(
                    tf.scope()
                        .operation("Restore")
                        .input(tf.constant(name))
                        .input(tf.constant("x"))
                        .attr("dt", DataType.FLOAT)
                        .build())));
    all.add(
        checkpoint(
            "RestoreSlice",
            "",
            (tf, name) ->
                List.of(
                    tf.scope()
                        .operation("RestoreSlice")
                        .input(tf.constant(name))
                        .input(tf.constant("x"))
                        .input(tf.constant(""))
                        .attr("dt", DataType.FLOAT)
                        .build())));
    all.add(
        checkpoint("MergeV2Checkpoints", "part", (tf, name) -> List.of(merge(tf, name, "merged"))));
    all.add(
        checkpoint(
            "MergeV2Checkpoints", "destination", (tf, name) -> List.of(merge(tf, "inside", name))));
    for (String suffix : List.of("", "V2")) {
      String op = "InitializeTableFromTextFile" + suffix;
      all.add(file(op, (tf, name) -> List.of(initialize(tf, op, suffix, name))));
      for (String read : List.of("ReaderRead", "ReaderReadUpTo")) {
        readers(suffix)
            .forEach(
                reader ->
                    all.add(
                        new Call(
                            read + suffix,
                            "of " + reader,
                            Kind.FILE,
                            (tf, name) -> read(tf, read, reader, suffix, name))));
      }
    }
    all.add(
        checkpoint(
            "LoadAndRemapMatrix",
            "",
            (tf, name) ->
                one(
                    tf.io.loadAndRemapMatrix(
                        tf.constant(name),
                        tf.constant("x"),
                        tf.constant(new long[] {0}),
                        tf.constant(new long[0]),
                        tf.constant(new float[0]),
                        Shape.of(1, 1)))));
    all.add(
        new Call(
            "GenerateVocabRemapping",
            "new",
            Kind.FILE,
            (tf, name) -> one(remapping(tf, name, "inside.index"))));
    all.add(
        new Call(
            "GenerateVocabRemapping",
            "old",
            Kind.FILE,
            (tf, name) -> one(remapping(tf, "inside.index", name))));
    all.add(
        new Call(
            "FixedUnigramCandidateSampler",
            "",
            Kind.OPTIONAL_FILE,
            (tf, name) -> one(unigrams(tf, name))));
    all.add(new Call("CreateSummaryFileWriter", "", Kind.FOLDER, FileOps::summaries));
    for (String op : List.of("DecodeProtoV2", "EncodeProto")) {
      all.add(new Call(op, "", Kind.OPTIONAL_FILE, (tf, name) -> one(message(tf, op, name))));
    }
    all.add(dataset("TFRecordDataset", "", 0L));
    all.add(dataset("TextLineDataset", "", 0L));
    all.add(dataset("FixedLengthRecordDataset", 0L, 1L, 0L, 0L));
    all.add(dataset("FixedLengthRecordDatasetV2", 0L, 1L, 0L, 0L, ""));
    for (String prefix : List.of("", "Experimental")) {
      all.add(dataset(prefix + "MatchingFilesDataset"));
      all.add(file(prefix + "DatasetToTFRecord", (tf, name) -> toRecords(tf, prefix, name)));
      all.add(file(prefix + "CSVDataset", (tf, name) -> first(tf, csv(tf, prefix, "", name))));
    }
    all.add(
        file(
            "CSVDatasetV2",
            (tf, name) -> first(tf, csv(tf, "", "V2", name).input(tf.constant(new long[0])))));
    all.add(new Call("CacheDataset", "", Kind.CACHE, (tf, name) -> first(tf, cache(tf, "", name))));
    all.add(
        new Call(
            "CacheDatasetV2",
            "",
            Kind.CACHE,
            (tf, name) ->
                first(
                    tf,
                    cache(tf, "V2", name)
                        .input(tf.scope().operation("DummyMemoryCache").buildOutput()))));
    all.addAll(stores());
    return all;
  }

  private static List<Call> stores() {
    return List.of(
        new Call("SaveDataset", "", Kind.ELEMENTS, (tf, name) -> List.of(save(tf, name))),
        new Call(
            "SaveDatasetV2",
            "",
            Kind.ELEMENTS,
            (tf, name) ->
                first(
                    tf,
                    shards(tf, element(tf.scope().operation("SaveDatasetV2")))
                        .input(texts(tf))
                        .input(tf.constant(name))
                        .inputList(List.of()))),
        new Call(
            "LoadDataset",
            "",
            Kind.ELEMENTS,
            (tf, name) ->
                first(
                    tf,
                    readers(tf, element(tf.scope().operation("LoadDataset")))
                        .input(tf.constant(name))
                        .inputList(List.of()))),
        new Call(
            "SnapshotDatasetV2",
            "",
            Kind.ELEMENTS,
            (tf, name) ->
                first(
                    tf,
                    shards(tf, readers(tf, element(tf.scope().operation("SnapshotDatasetV2"))))
                        .input(texts(tf))
                        .input(tf.constant(name))
                        .inputList(List.of())
                        .inputList(List.of())
                        .attr("hash_valid", true)
                        .attr("hash", 1))));
  }

  static Operation save(Ops tf, String name) {
    return shards(tf, tf.scope().operation("SaveDataset"))
        .input(texts(tf))
        .input(tf.constant(name))
        .inputList(List.of())
        .build();
  }

  private static OperationBuilder shards(Ops tf, OperationBuilder builder) {
    String function =
        tf.function("shard" + tf.graph().size(), (f, x) -> List.of(f.constant(0L)))
            .traced(List.of(tf.placeholder(DataType.STRING, Shape.scalar())))
            .name();
    return builder.attr("shard_func", new AttrValue.Function(function, Map.of()));
  }

  /** The elements of each shard, one shard after the other. */
  private static OperationBuilder readers(Ops tf, OperationBuilder builder) {
    String number = String.valueOf(tf.graph().size());
    String function =
        tf.function(
                "read" + number,
                (f, x) -> {
                  String each =
                      f.function("open" + number, (inner, shard) -> shard)
                          .traced(List.of(f.placeholder(DataType.VARIANT, Shape.scalar())))
                          .name();
                  return List.of(
                      element(f.scope().operation("FlatMapDataset"))
                          .input(x.get(0))
                          .inputList(List.of())
                          .attr("f", new AttrValue.Function(each, Map.of()))
                          .buildOutput());
                })
            .traced(List.of(tf.placeholder(DataType.VARIANT, Shape.scalar())))
            .name();
    return builder.attr("reader_func", new AttrValue.Function(function, Map.of()));
  }

  /** The registered ops that are given names of files, as far as their signatures tell. */
  static Set<String> registered() {
    Set<String> names = new TreeSet<>();
    for (OpDeclaration op : Ops.registry().all()) {
      Stream<String> inputs =
          op.def().inputs().stream()
              .filter(input -> input.type().equals(Optional.of(DataType.STRING)) && !input.isRef())
              .map(ArgDef::name);
      Stream<String> attributes =
          op.def().attributes().stream()
              .filter(attribute -> attribute.type().contains("string"))
              .map(AttrDef::name);
      boolean hasWork =
          op.def().inputs().stream().anyMatch(input -> input.name().equals(WORK_QUEUE));
      if (hasWork || Stream.concat(inputs, attributes).anyMatch(FILE_NAME.asPredicate())) {
        names.add(op.name());
      }
    }
    return names;
  }

  private static Call file(String op, Maker maker) {
    return new Call(op, "", Kind.FILE, maker);
  }

  /** Opens its file for the first element. */
  private static Call dataset(String op, Object... arguments) {
    return file(
        op,
        (tf, name) -> {
          OperationBuilder dataset = tf.scope().operation(op).input(tf.constant(name));
          for (Object argument : arguments) {
            dataset.input(
                argument instanceof Long number
                    ? tf.constant(number)
                    : tf.constant((String) argument));
          }
          return first(tf, dataset);
        });
  }

  /** The first element of a dataset. */
  private static List<Operation> first(Ops tf, OperationBuilder dataset) {
    Output iterator =
        element(tf.scope().operation("IteratorV2"))
            .attr("shared_name", "")
            .attr("container", "")
            .buildOutput();
    Operation make =
        tf.scope().operation("MakeIterator").input(dataset.buildOutput()).input(iterator).build();
    return List.of(
        element(tf.scope().operation("IteratorGetNext"))
            .input(iterator)
            .controlInput(make)
            .build());
  }

  private static OperationBuilder csv(Ops tf, String prefix, String suffix, String name) {
    return element(tf.scope().operation(prefix + "CSVDataset" + suffix))
        .input(tf.constant(name))
        .input(tf.constant(""))
        .input(tf.constant(0L))
        .input(tf.constant(false))
        .input(tf.constant(","))
        .input(tf.constant(true))
        .input(tf.constant(""))
        .input(tf.constant(new long[0]))
        .inputList(List.of(tf.constant(new String[] {""})));
  }

  private static OperationBuilder cache(Ops tf, String suffix, String name) {
    return element(tf.scope().operation("CacheDataset" + suffix))
        .input(texts(tf))
        .input(tf.constant(name));
  }

  private static List<Operation> toRecords(Ops tf, String prefix, String name) {
    return List.of(
        tf.scope()
            .operation(prefix + "DatasetToTFRecord")
            .input(texts(tf))
            .input(tf.constant(name))
            .input(tf.constant(""))
            .build());
  }

  private static Output texts(Ops tf) {
    return tf.scope()
        .operation("TensorSliceDataset")
        .inputList(List.of(tf.constant(new String[] {"text"})))
        .attr("output_shapes", AttrValue.ofShapes(List.of(Shape.scalar())))
        .buildOutput();
  }

  private static OperationBuilder element(OperationBuilder iterator) {
    return iterator
        .attr("output_types", List.of(DataType.STRING))
        .attr("output_shapes", AttrValue.ofShapes(List.of(Shape.scalar())));
  }

  private static Output remapping(Ops tf, String newFile, String oldFile) {
    return tf.scope()
        .operation("GenerateVocabRemapping")
        .input(tf.constant(newFile))
        .input(tf.constant(oldFile))
        .attr("new_vocab_offset", 0)
        .attr("num_new_vocab", 0)
        .attr("old_vocab_size", 0)
        .build()
        .output(0);
  }

  private static Output unigrams(Ops tf, String name) {
    return tf.scope()
        .operation("FixedUnigramCandidateSampler")
        .input(tf.constant(Shape.of(1, 1), 0L))
        .attr("num_true", 1)
        .attr("num_sampled", 1)
        .attr("unique", false)
        .attr("range_max", 1)
        .attr("vocab_file", name)
        .build()
        .output(0);
  }

  private static Output message(Ops tf, String op, String source) {
    OperationBuilder builder = tf.scope().operation(op);
    if (op.startsWith("Decode")) {
      builder.input(tf.constant("")).attr("output_types", List.of(DataType.INT32));
    } else {
      builder
          .input(tf.constant(Shape.of(1, 1), 0))
          .inputList(List.of(tf.constant(Shape.of(1, 1), 1)));
    }
    return builder
        .attr("message_type", "tensorflow.TensorProto")
        .attr("field_names", List.of("int_val"))
        .attr("descriptor_source", source)
        .build()
        .output(0);
  }

  private static List<Operation> summaries(Ops tf, String name) {
    return List.of(tf.summary.writer("").create(tf.constant(name)));
  }

  private static Call checkpoint(String op, String title, Maker maker) {
    return new Call(op, title, Kind.CHECKPOINT, maker);
  }

  private static List<Operation> one(Output output) {
    return List.of(output.operation());
  }

  private static Output x(Ops tf) {
    return tf.constant(new String[] {"x"});
  }

  private static Output whole(Ops tf) {
    return tf.constant(new String[] {""});
  }

  private static Operation merge(Ops tf, String part, String destination) {
    return tf.scope()
        .operation("MergeV2Checkpoints")
        .input(tf.constant(new String[] {part}))
        .input(tf.constant(destination))
        .build();
  }

  private static Operation initialize(Ops tf, String op, String suffix, String name) {
    Output table =
        tf.scope()
            .operation("HashTable" + suffix)
            .attr("key_dtype", DataType.STRING)
            .attr("value_dtype", DataType.INT64)
            .buildOutput();
    return tf.scope()
        .operation(op)
        .input(table)
        .input(tf.constant(name))
        .attr("key_index", -2)
        .attr("value_index", -1)
        .build();
  }

  /** Of those with references, new graphs may have one only. */
  private static List<String> readers(String suffix) {
    return suffix.isEmpty()
        ? List.of("WholeFileReader")
        : List.of("WholeFileReader", "TextLineReader", "FixedLengthRecordReader", "TFRecordReader");
  }

  private static List<Operation> read(
      Ops tf, String read, String kind, String suffix, String name) {
    OperationBuilder maker = tf.scope().operation(kind + suffix);
    if (kind.startsWith("Fixed")) {
      maker.attr("record_bytes", 1);
    }
    Output queue =
        tf.scope()
            .operation("FIFOQueue" + suffix)
            .attr("component_types", List.of(DataType.STRING))
            .buildOutput();
    Operation enqueue =
        tf.scope()
            .operation("QueueEnqueue" + suffix)
            .input(queue)
            .inputList(List.of(tf.constant(name)))
            .build();
    OperationBuilder reading =
        tf.scope().operation(read + suffix).input(maker.buildOutput()).input(queue);
    if (read.endsWith("UpTo")) {
      reading.input(tf.constant(3L));
    }
    return List.of(enqueue, reading.build());
  }
}
