package dev.tributary.optable;

import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;

import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Datasets of files that both runtimes read. */
final class FileDatasetOpRows {
  private static final Path FOLDER = Path.of("target/file-dataset-op-rows");

  /** Quotes with all that may be in them, an empty field, and a record across lines. */
  private static final String CSV =
      "i,l,f,s\n1,2,3.5,a\n-4,5,,\"b,\"\"c\"\"\"\r\n7,8,9e2,\"two\nlines\"\n0,0,NA,last";

  private static final long AUTO = 0;
  private static final long FILE = 1;
  private static final long DATA = 2;
  private static final long HINT = 3;
  private static final long OFF = -1;

  private FileDatasetOpRows() {}

  static List<OpRow> rows() {
    List<OpRow> rows = new ArrayList<>();
    for (String prefix : List.of("", "Experimental")) {
      rows.add(row(prefix + "CSVDataset", csv(prefix + "CSVDataset")));
      rows.add(row(prefix + "MatchingFilesDataset", matching(prefix)));
      rows.add(row(prefix + "DatasetToTFRecord", written(prefix)));
    }
    rows.add(row("AutoShardDataset", sharded("AutoShardDataset")));
    rows.add(
        row("ExperimentalAutoShardDataset", sharded("ExperimentalAutoShardDataset"))
            .withoutStock("its kernel of 2.18 reads an attribute that the op does not have"));
    rows.add(row("CSVDatasetV2", csv("CSVDatasetV2")));
    return rows;
  }

  private static OpRow row(String op, Function<Draw, Script> script) {
    return OpRow.of(op).types(INT64).script(script);
  }

  private static Function<Draw, Script> csv(String op) {
    return d -> {
      boolean selects = d.flip();
      boolean excludes = op.endsWith("V2") && !selects && d.flip();
      DatasetNodes nodes =
          selects || excludes
              ? new DatasetNodes(INT32, STRING)
              : new DatasetNodes(INT32, INT64, FLOAT, STRING);
      OperationBuilder builder =
          nodes
              .tf
              .scope()
              .operation(op)
              .input(nodes.tf.constant(file("rows.csv", CSV)))
              .input(nodes.tf.constant(""))
              .input(nodes.tf.constant(4096L))
              .input(nodes.tf.constant(true))
              .input(nodes.tf.constant(","))
              .input(nodes.tf.constant(true))
              .input(nodes.tf.constant("NA"))
              .input(nodes.constant(selects ? Tensor.of(0L, 3L) : Tensor.of(new long[0])));
      List<Output> defaults = new ArrayList<>();
      defaults.add(nodes.constant(Tensor.of(new int[0])));
      if (!selects && !excludes) {
        defaults.add(nodes.constant(Tensor.of(5L)));
        defaults.add(nodes.constant(Tensor.of(2.5f)));
      }
      defaults.add(nodes.constant(Tensor.of("none")));
      builder.inputList(defaults);
      if (op.endsWith("V2")) {
        builder.input(nodes.constant(excludes ? Tensor.of(1L, 2L) : Tensor.of(new long[0])));
      }
      return nodes.script(nodes.elements(builder).buildOutput(), 4);
    };
  }

  private static Function<Draw, Script> matching(String prefix) {
    return d -> {
      file("match-b", "");
      file("match-a", "");
      DatasetNodes nodes = new DatasetNodes(STRING);
      Output names =
          nodes
              .tf
              .scope()
              .operation(prefix + "MatchingFilesDataset")
              .input(nodes.tf.constant(FOLDER.toAbsolutePath() + "/match-*"))
              .buildOutput();
      return nodes.script(names, 2);
    };
  }

  /** Written and read again. */
  private static Function<Draw, Script> written(String prefix) {
    return d -> {
      DatasetNodes nodes = new DatasetNodes(STRING);
      String file = file(prefix + "written", "");
      Operation write =
          nodes
              .tf
              .scope()
              .operation(prefix + "DatasetToTFRecord")
              .input(nodes.slices(Tensor.of("a", "", "ccc")))
              .input(nodes.tf.constant(file))
              .input(nodes.tf.constant("GZIP"))
              .build();
      Output read =
          nodes
              .tf
              .scope()
              .operation("TFRecordDataset")
              .input(nodes.tf.constant(file))
              .input(nodes.tf.constant("GZIP"))
              .input(nodes.tf.constant(0L))
              .buildOutput();
      Output iterator = nodes.iterator();
      Output[] next = nodes.next("IteratorGetNext", iterator);
      return Script.on(nodes.tf)
          .run(write)
          .run(nodes.make(read, iterator))
          .expect(next[0], Tensor.scalar("a"))
          .expect(next[0], Tensor.scalar(""))
          .expect(next[0], Tensor.scalar("ccc"));
    };
  }

  /** Two workers of each policy, of pipelines with and without files. */
  private static Function<Draw, Script> sharded(String op) {
    return d -> {
      DatasetNodes nodes = new DatasetNodes(STRING);
      Script script = Script.on(nodes.tf);
      for (long policy : new long[] {AUTO, FILE, DATA, OFF}) {
        for (long worker = 0; worker < 2; worker++) {
          addShare(script, nodes, op, lines(nodes), policy, worker);
        }
      }
      for (long policy : new long[] {AUTO, DATA, OFF}) {
        addShare(script, nodes, op, words(nodes), policy, 1L);
      }
      Output hinted = nodes.of("ShardDataset", words(nodes), -1L, -1L);
      addShare(script, nodes, op, nodes.of("SkipDataset", hinted, 1L), HINT, 0L);
      addShare(script, nodes, op, words(nodes), HINT, 1L);
      return script;
    };
  }

  private static Output words(DatasetNodes nodes) {
    Output words = nodes.slices(Tensor.of("a", "b", "c", "d", "e"));
    return nodes.of("PrefetchDataset", nodes.of("PrefetchDataset", words, 2L), 1L);
  }

  /** The lines of three shuffled files, beside themselves once more without the shuffle. */
  private static Output lines(DatasetNodes nodes) {
    Output names =
        nodes.slices(
            Tensor.of(
                file("shard-1", "1a\n1b\n1c"), file("shard-2", "2a\n2b"), file("shard-3", "3a")));
    Output shuffled = nodes.of("ShuffleDataset", names, 5L, 1L, 2L);
    Output read = nodes.calling("FlatMapDataset", "f", shuffled, FileDatasetOpRows::opened);
    Output again =
        nodes
            .calling(
                "InterleaveDataset",
                "f",
                List.of(STRING),
                names,
                List.of(2L, 1L),
                FileDatasetOpRows::opened)
            .buildOutput();
    Output both = nodes.of("ConcatenateDataset", nodes.of("RepeatDataset", read, 2L), again);
    return nodes.of("PrefetchDataset", both, 2L);
  }

  private static List<Output> opened(Ops body, List<Output> name) {
    return List.of(
        body.scope()
            .operation("TextLineDataset")
            .input(name.get(0))
            .input(body.constant(""))
            .input(body.constant(0L))
            .buildOutput());
  }

  /** Gets all elements that a worker has, of which there are at most eighteen. */
  private static void addShare(
      Script script, DatasetNodes nodes, String op, Output input, long policy, long worker) {
    Output share =
        nodes.builder(op, input, 2L, worker).attr("auto_shard_policy", policy).buildOutput();
    Output whole = nodes.of("RepeatDataset", nodes.of("BatchDatasetV2", share, 50L, false), 1L);
    Output iterator = nodes.iterator();
    script.run(nodes.make(whole, iterator)).fetch(nodes.next("IteratorGetNext", iterator));
    script.expect(nodes.hasNext(iterator), Tensor.scalar(false));
  }

  private static String file(String name, String content) {
    try {
      Files.createDirectories(FOLDER);
      Path file = FOLDER.resolve(name).toAbsolutePath();
      Files.write(file, content.getBytes(StandardCharsets.UTF_8));
      return file.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
