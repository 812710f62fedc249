package dev.tributary.optable;

import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;
import static dev.tributary.tensor.DataType.VARIANT;

import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.internal.library.TracedFunction;
import dev.tributary.op.AttrValue;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Datasets whose elements are saved and read again, in the files of both runtimes. */
final class StoredDatasetOpRows {
  private static final Path FOLDER = Path.of("target/stored-dataset-op-rows");
  private static final int ELEMENTS = 7;

  private StoredDatasetOpRows() {}

  static List<OpRow> rows() {
    List<OpRow> rows = new ArrayList<>();
    rows.add(row("SaveDataset", StoredDatasetOpRows::savedAndLoaded));
    rows.add(row("LoadDataset", StoredDatasetOpRows::savedAndLoaded));
    rows.add(row("SaveDatasetV2", StoredDatasetOpRows::savedOnPass));
    rows.add(row("SnapshotDatasetV2", StoredDatasetOpRows::snapshot));
    return rows;
  }

  private static OpRow row(String op, Function<Draw, Script> script) {
    return OpRow.of(op).types(DataType.FLOAT, INT64, STRING).script(script);
  }

  private static String folder(String name) {
    try {
      Files.createDirectories(FOLDER);
      return Files.createTempDirectory(FOLDER, name).toAbsolutePath().toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Output input(Draw d, DatasetNodes nodes) {
    return nodes.slices(d.tensor(Shape.of(ELEMENTS, 2)), Tensor.of(0L, 1L, 2L, 3L, 4L, 5L, 6L));
  }

  private static Script savedAndLoaded(Draw d) {
    DatasetNodes nodes = new DatasetNodes(d.type(), INT64);
    String folder = folder("saved");
    String compression = d.oneOf("", "GZIP");
    boolean usesShards = d.flip();
    Operation save =
        shards(
                nodes
                    .tf
                    .scope()
                    .operation("SaveDataset")
                    .input(input(d, nodes))
                    .input(nodes.tf.constant(folder))
                    .inputList(List.of())
                    .attr("compression", compression)
                    .attr("use_shard_func", usesShards),
                nodes,
                d.type())
            .build();
    OperationBuilder load =
        nodes
            .tf
            .scope()
            .operation("LoadDataset")
            .input(nodes.tf.constant(folder))
            .inputList(List.of())
            .attr("compression", compression);
    Output loaded = nodes.elements(readers(load, nodes)).buildOutput();
    Output iterator = nodes.iterator();
    Operation initializer = nodes.make(loaded, iterator);
    Output[] next = nodes.next("IteratorGetNext", iterator);
    Script script = Script.on(nodes.tf).run(save).run(initializer);
    for (int i = 0; i < ELEMENTS; i++) {
      script.fetch(next);
    }
    return script.expect(nodes.hasNext(iterator), Tensor.scalar(false));
  }

  private static Script savedOnPass(Draw d) {
    DatasetNodes nodes = new DatasetNodes(d.type(), INT64);
    OperationBuilder builder =
        nodes
            .tf
            .scope()
            .operation("SaveDatasetV2")
            .input(input(d, nodes))
            .input(nodes.tf.constant(folder("passed")))
            .inputList(List.of());
    return nodes.script(nodes.elements(shards(builder, nodes, d.type())).buildOutput(), ELEMENTS);
  }

  /** The first pass saves the elements, and the second one reads them. */
  private static Script snapshot(Draw d) {
    DatasetNodes nodes = new DatasetNodes(d.type(), INT64);
    OperationBuilder builder =
        nodes
            .tf
            .scope()
            .operation("SnapshotDatasetV2")
            .input(input(d, nodes))
            .input(nodes.tf.constant(folder("snapshot")))
            .inputList(List.of())
            .inputList(List.of())
            .attr("compression", d.oneOf("", "GZIP"));
    Output snapshot =
        nodes.elements(shards(readers(builder, nodes), nodes, d.type(), 1)).buildOutput();
    return nodes.script(snapshot, ELEMENTS);
  }

  private static OperationBuilder shards(OperationBuilder builder, DatasetNodes nodes, DataType t) {
    return shards(builder, nodes, t, 2);
  }

  /** Elements by turns to so many shards. */
  private static OperationBuilder shards(
      OperationBuilder builder, DatasetNodes nodes, DataType type, long count) {
    TracedFunction shard =
        nodes.trace(
            List.of(type, INT64),
            (f, x) ->
                List.of(
                    f.scope()
                        .operation("FloorMod")
                        .input(x.get(1))
                        .input(f.constant(count))
                        .buildOutput()));
    return builder.attr("shard_func", new AttrValue.Function(shard.name(), Map.of()));
  }

  /** One shard after the other. */
  private static OperationBuilder readers(OperationBuilder builder, DatasetNodes nodes) {
    TracedFunction reader =
        nodes.trace(List.of(VARIANT), (f, x) -> List.of(flat(nodes.in(f), x.get(0))));
    return builder.attr("reader_func", new AttrValue.Function(reader.name(), Map.of()));
  }

  private static Output flat(DatasetNodes inside, Output shards) {
    return inside.calling(
        "FlatMapDataset", "f", List.of(VARIANT), shards, (Ops f, List<Output> x) -> x);
  }
}
