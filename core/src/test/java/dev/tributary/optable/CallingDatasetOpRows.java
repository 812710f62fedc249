package dev.tributary.optable;

import static dev.tributary.tensor.DataType.INT64;

import dev.tributary.graph.Output;
import dev.tributary.internal.library.TracedFunction;
import dev.tributary.op.AttrValue;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Datasets that call functions. */
final class CallingDatasetOpRows {
  private static final List<Object> NONE = List.of();

  private CallingDatasetOpRows() {}

  static List<OpRow> rows() {
    List<OpRow> rows = new ArrayList<>();
    rows.add(row("ParallelMapDataset", d -> map(d, "ParallelMapDataset", d.oneOf(1, 2, 5))));
    rows.add(
        row("ParallelMapDatasetV2", d -> map(d, "ParallelMapDatasetV2", d.oneOf(-1L, 1L, 4L))));
    for (String prefix : List.of("", "Experimental")) {
      rows.add(row(prefix + "MapAndBatchDataset", d -> mapAndBatch(d, prefix)));
      rows.add(row(prefix + "TakeWhileDataset", d -> takeWhile(d, prefix)));
      rows.add(row(prefix + "ScanDataset", d -> scan(d, prefix)));
    }
    rows.add(row("FlatMapDataset", d -> expand(d, "FlatMapDataset", NONE)));
    rows.add(row("InterleaveDataset", d -> expand(d, "InterleaveDataset", cycle(d))));
    rows.add(
        row(
            "ParallelInterleaveDatasetV2",
            d -> expand(d, "ParallelInterleaveDatasetV2", cycle(d, 1L))));
    rows.add(
        row(
            "ParallelInterleaveDatasetV3",
            d -> expand(d, "ParallelInterleaveDatasetV3", cycle(d, 1L))));
    rows.add(
        row(
            "ParallelInterleaveDatasetV4",
            d ->
                expand(
                    d,
                    "ParallelInterleaveDatasetV4",
                    cycle(d, d.oneOf(-1L, 1L, 5L), d.oneOf(-1L, 0L, 3L), d.oneOf(-1L, 1L)))));
    for (String prefix : List.of("", "Experimental")) {
      String legacy = prefix + "ParallelInterleaveDataset";
      rows.add(row(legacy, d -> expand(d, legacy, cycle(d, false, d.oneOf(-1L, 2L), 1L))));
    }
    rows.add(
        row(
            "LegacyParallelInterleaveDatasetV2",
            d -> expand(d, "LegacyParallelInterleaveDatasetV2", cycle(d, 3L, d.oneOf(0L, 2L)))));
    rows.add(row("ReduceDataset", CallingDatasetOpRows::reduce));
    rows.add(row("IgnoreErrorsDataset", CallingDatasetOpRows::ignoreErrors));
    return rows;
  }

  private static OpRow row(String op, Function<Draw, Script> script) {
    return DatasetOpRows.row(op, script);
  }

  private static List<Object> cycle(Draw d, Object... more) {
    List<Object> arguments = new ArrayList<>();
    arguments.add((long) d.integer(1, 4));
    arguments.add((long) d.integer(1, 3));
    arguments.addAll(List.of(more));
    return arguments;
  }

  private static Script map(Draw d, String op, Object calls) {
    DatasetNodes nodes = new DatasetNodes(INT64, INT64);
    Output outside = nodes.tf.constant((long) d.integer(-9, 9));
    Output mapped =
        nodes
            .calling(
                op,
                "f",
                List.of(INT64),
                nodes.range(0, 9, 1),
                List.of(calls),
                (f, x) -> List.of(f.mul(x.get(0), outside), x.get(0)))
            .buildOutput();
    return nodes.script(mapped, 9);
  }

  private static Script mapAndBatch(Draw d, String prefix) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    long size = d.integer(1, 5);
    boolean drop = d.flip();
    Output batches =
        nodes
            .calling(
                prefix + "MapAndBatchDataset",
                "f",
                List.of(INT64),
                nodes.range(0, 9, 1),
                List.of(size, d.oneOf(1L, 3L), drop),
                (f, x) -> List.of(f.add(x.get(0), x.get(0))))
            .buildOutput();
    return nodes.script(batches, (int) (drop ? 9 / size : (9 + size - 1) / size));
  }

  private static Script takeWhile(Draw d, String prefix) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    long limit = d.integer(0, 7);
    Output taken =
        nodes.calling(
            prefix + "TakeWhileDataset",
            "predicate",
            nodes.of("RepeatDataset", nodes.range(0, 6, 1), 2L),
            (f, x) -> List.of(f.less(x.get(0), f.constant(limit))));
    return nodes.script(taken, limit > 5 ? 12 : (int) limit);
  }

  /** Makes x times x of each x of 0 to 5. */
  private static Script expand(Draw d, String op, List<Object> arguments) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    Output expanded =
        nodes
            .calling(
                op,
                "f",
                List.of(INT64),
                nodes.range(0, 6, 1),
                arguments,
                (f, x) -> List.of(repeated(f, x.get(0))))
            .buildOutput();
    return nodes.script(expanded, 15);
  }

  static Output repeated(Ops f, Output x) {
    AttrValue shapes = AttrValue.ofShapes(List.of(Shape.unknown()));
    Output one =
        f.scope()
            .operation("TensorDataset")
            .inputList(List.of(x))
            .attr("output_shapes", shapes)
            .buildOutput();
    return f.scope()
        .operation("RepeatDataset")
        .input(one)
        .input(x)
        .attr("output_types", AttrValue.ofTypes(List.of(INT64)))
        .attr("output_shapes", shapes)
        .buildOutput();
  }

  private static Script scan(Draw d, String prefix) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    TracedFunction traced =
        nodes.trace(
            List.of(INT64, INT64),
            (f, x) -> {
              Output sum = f.add(x.get(0), x.get(1));
              return List.of(sum, f.mul(sum, x.get(1)));
            });
    return nodes.script(withState(nodes, prefix + "ScanDataset", traced, d.integer(-3, 3)), 5);
  }

  static Output withState(DatasetNodes nodes, String op, TracedFunction traced, long initial) {
    return nodes
        .elements(
            nodes
                .tf
                .scope()
                .operation(op)
                .input(nodes.range(0, 5, 1))
                .inputList(List.of(nodes.tf.constant(initial)))
                .inputList(traced.captures())
                .attr("f", new AttrValue.Function(traced.name(), Map.of())))
        .buildOutput();
  }

  private static Script reduce(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    long initial = d.integer(-3, 3);
    TracedFunction traced =
        nodes.trace(List.of(INT64, INT64), (f, x) -> List.of(f.add(x.get(0), x.get(1))));
    return Script.on(nodes.tf)
        .expect(withState(nodes, "ReduceDataset", traced, initial), Tensor.scalar(initial + 10));
  }

  /** A division by zero in the middle. */
  private static Script ignoreErrors(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    Output mapped =
        nodes.calling(
            "MapDataset",
            "f",
            nodes.range(-2, 4, 1),
            (f, x) ->
                List.of(
                    f.scope()
                        .operation("FloorDiv")
                        .input(f.constant((long) d.integer(1, 99)))
                        .input(x.get(0))
                        .buildOutput()));
    return nodes.script(nodes.of("IgnoreErrorsDataset", mapped), 5);
  }
}
