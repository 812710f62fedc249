package dev.tributary.optable;

import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;
import static dev.tributary.tensor.DataType.VARIANT;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Datasets that put elements together in less common ways, or leave some out. */
final class RegroupedDatasetOpRows {
  private RegroupedDatasetOpRows() {}

  static List<OpRow> rows() {
    List<OpRow> rows = new ArrayList<>();
    for (String prefix : List.of("", "Experimental")) {
      String sparse = prefix + "DenseToSparseBatchDataset";
      rows.add(DatasetOpRows.row(sparse, d -> denseToSparse(d, sparse)));
      String sliding = prefix + "SlidingWindowDataset";
      rows.add(DatasetOpRows.row(sliding, d -> sliding(d, sliding)));
      String split = prefix + "RebatchDataset";
      rows.add(DatasetOpRows.row(split, d -> split(d, split)));
    }
    rows.add(DatasetOpRows.row("ListDataset", RegroupedDatasetOpRows::list));
    rows.add(DatasetOpRows.row("ShuffleAndRepeatDatasetV2", RegroupedDatasetOpRows::shuffle));
    rows.add(
        DatasetOpRows.row("ParallelFilterDataset", RegroupedDatasetOpRows::filter)
            .withoutStock(
                "MakeIterator of 2.18 builds the op again and gives it two of its three inputs"));
    rows.add(DatasetOpRows.row("OptimizeDatasetV2", RegroupedDatasetOpRows::optimize));
    return rows;
  }

  /** Rows of different sizes, in batches that are taken out of variants. */
  private static Script denseToSparse(Draw d, String op) {
    DatasetNodes dense = new DatasetNodes(d.type());
    Output input =
        dense.of(
            "ConcatenateDataset",
            dense.slices(d.tensor(Shape.of(3, 2, 1))),
            dense.slices(d.tensor(Shape.of(2, 1, 3))));
    long size = d.integer(1, 6);
    DatasetNodes sparse = new DatasetNodes(dense.tf, List.of(VARIANT));
    Output row = sparse.constant(Tensor.of((long) d.oneOf(-1, 4), -1L));
    Output batches = sparse.of(op, input, size, row);
    Output iterator = sparse.iterator();
    Operation initializer = sparse.make(batches, iterator);
    Output[] parts =
        sparse
            .tf
            .scope()
            .operation("DeserializeSparse")
            .input(sparse.next("IteratorGetNext", iterator)[0])
            .attr("dtype", d.type())
            .build()
            .outputs()
            .toArray(Output[]::new);
    Script script = Script.on(sparse.tf).run(initializer);
    for (int i = 0; i < (5 + size - 1) / size; i++) {
      script.fetch(parts);
    }
    return script.expect(sparse.hasNext(iterator), Tensor.scalar(false));
  }

  private static Script sliding(Draw d, String op) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    int size = d.integer(1, 3);
    int shift = d.integer(1, 4);
    int stride = d.integer(1, 2);
    Output windows = nodes.of(op, nodes.range(0, 9, 1), (long) size, (long) shift, (long) stride);
    int count = 0;
    for (int first = 0; first + (size - 1) * stride < 9; first += shift) {
      count++;
    }
    return nodes.script(windows, count);
  }

  private static Script split(Draw d, String op) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    long replicas = d.integer(1, 6);
    Output batches = nodes.of("BatchDatasetV2", nodes.range(0, 11, 1), 4L, false);
    return nodes.script(nodes.of(op, batches, replicas), (int) (3 * replicas));
  }

  private static Script list(Draw d) {
    DatasetNodes nodes = new DatasetNodes(d.type(), STRING);
    List<Output> tensors = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      tensors.add(nodes.constant(d.tensor(Shape.of(i, 2))));
      tensors.add(nodes.tf.constant("element " + i));
    }
    return nodes.script(
        nodes.elements(nodes.tf.scope().operation("ListDataset").inputList(tensors)).buildOutput(),
        3);
  }

  private static Script shuffle(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    Output shuffled =
        nodes
            .builder(
                "ShuffleAndRepeatDatasetV2",
                nodes.range(0, 7, 1),
                (long) d.oneOf(1, 3, 10),
                (long) d.integer(1, 50),
                2L,
                3L,
                nodes.tf.scope().operation("DummySeedGenerator").buildOutput())
            .attr("reshuffle_each_iteration", d.flip())
            .buildOutput();
    return nodes.script(shuffled, 21);
  }

  private static Script filter(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    long limit = d.integer(0, 9);
    Output kept =
        nodes
            .calling(
                "ParallelFilterDataset",
                "predicate",
                List.of(INT64),
                nodes.range(0, 9, 1),
                List.of(d.oneOf(-1L, 1L, 4L)),
                (f, x) -> List.of(f.less(x.get(0), f.constant(limit))))
            .buildOutput();
    return nodes.script(kept, (int) limit);
  }

  private static Script optimize(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    Output none = nodes.constant(Tensor.of(new String[0]));
    return nodes.script(nodes.of("OptimizeDatasetV2", nodes.range(0, 3, 1), none, none, none), 3);
  }
}
