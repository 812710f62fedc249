package dev.tributary.optable;

import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;

import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Datasets that put elements together or take them apart, and those of files without elements. */
final class BatchingDatasetOpRows {
  private BatchingDatasetOpRows() {}

  static List<OpRow> rows() {
    List<OpRow> rows = new ArrayList<>();
    rows.add(DatasetOpRows.row("ParallelBatchDataset", BatchingDatasetOpRows::parallel));
    rows.add(
        DatasetOpRows.row("PaddedBatchDataset", d -> padded(d, "PaddedBatchDataset"))
            .withoutStock(DatasetOpRows.REBUILT));
    rows.add(DatasetOpRows.row("PaddedBatchDatasetV2", d -> padded(d, "PaddedBatchDatasetV2")));
    rows.add(DatasetOpRows.row("UnbatchDataset", BatchingDatasetOpRows::unbatch));
    rows.add(DatasetOpRows.row("WindowDataset", BatchingDatasetOpRows::window));
    rows.add(DatasetOpRows.row("DatasetToSingleElement", BatchingDatasetOpRows::single));
    rows.add(DatasetOpRows.row("SparseTensorSliceDataset", BatchingDatasetOpRows::sparse));
    rows.add(noFiles("TFRecordDataset", "", 0L));
    rows.add(noFiles("TextLineDataset", "GZIP", 0L));
    rows.add(
        noFiles("FixedLengthRecordDataset", 0L, 4L, 0L, 0L).withoutStock(DatasetOpRows.REBUILT));
    rows.add(noFiles("FixedLengthRecordDatasetV2", 0L, 4L, 0L, 0L, "ZLIB"));
    return rows;
  }

  private static Script parallel(Draw d) {
    DatasetNodes nodes = new DatasetNodes(d.type());
    long size = d.integer(1, 6);
    Output input = nodes.slices(d.tensor(Shape.of(5, 2)));
    return nodes.script(
        nodes.of("ParallelBatchDataset", input, size, 2L, false), (int) ((5 + size - 1) / size));
  }

  /** Slices with two values, without any, and with one. */
  private static Script sparse(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64, d.type(), INT64);
    Output slices =
        nodes
            .tf
            .scope()
            .operation("SparseTensorSliceDataset")
            .input(nodes.constant(Tensor.of(Shape.of(3, 3), 0L, 1L, 2L, 0L, 3L, 0L, 2L, 0L, 1L)))
            .input(nodes.constant(d.tensor(Shape.of(3))))
            .input(nodes.constant(Tensor.of(4L, 5L, 6L)))
            .buildOutput();
    return nodes.script(slices, 4);
  }

  private static Script padded(Draw d, String op) {
    DatasetNodes nodes = new DatasetNodes(d.type(), STRING);
    Output input =
        nodes.of(
            "ConcatenateDataset",
            nodes.slices(d.tensor(Shape.of(2, 3, 1)), Tensor.of("a", "b")),
            nodes.slices(d.tensor(Shape.of(3, 1, 2)), Tensor.of("c", "d", "e")));
    long size = d.integer(1, 6);
    Tensor filler = d.tensor(Shape.scalar());
    OperationBuilder builder =
        nodes
            .tf
            .scope()
            .operation(op)
            .input(input)
            .input(nodes.tf.constant(size))
            .inputList(
                List.of(
                    nodes.tf.constant(new long[] {d.oneOf(-1, 4), -1}),
                    nodes.tf.constant(new long[0])))
            .inputList(List.of(nodes.constant(filler), nodes.tf.constant("-")));
    if (op.endsWith("V2")) {
      builder.input(nodes.tf.constant(false));
    }
    Output batches =
        builder
            .attr("output_shapes", AttrValue.ofShapes(List.of(Shape.unknown(), Shape.unknown())))
            .buildOutput();
    return nodes.script(batches, (int) ((5 + size - 1) / size));
  }

  private static Script unbatch(Draw d) {
    DatasetNodes nodes = new DatasetNodes(d.type(), STRING);
    Output input =
        nodes.of(
            "ConcatenateDataset",
            nodes.ofTensors("TensorDataset", d.tensor(Shape.of(2, 3)), Tensor.of("a", "b")),
            nodes.ofTensors("TensorDataset", d.tensor(Shape.of(1, 2)), Tensor.of("c")));
    return nodes.script(nodes.of("UnbatchDataset", input), 3);
  }

  /** The windows' elements, one window after the other. */
  private static Script window(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    int size = d.integer(1, 3);
    int shift = d.integer(1, 4);
    int stride = d.integer(1, 2);
    boolean drop = d.flip();
    Output windows =
        nodes
            .builder(
                "WindowDataset",
                nodes.range(0, 7, 1),
                (long) size,
                (long) shift,
                (long) stride,
                drop)
            .attr("output_types", AttrValue.ofTypes(List.of(DataType.VARIANT)))
            .buildOutput();
    Output flat =
        nodes.calling(
            "FlatMapDataset", "f", List.of(DataType.VARIANT), windows, (f, x) -> List.of(x.get(0)));
    int elements = 0;
    for (int first = 0; first < 7; first += shift) {
      int inWindow = 0;
      for (int m = 0; m < size && first + m * stride < 7; m++) {
        inWindow++;
      }
      elements += drop && inWindow < size ? 0 : inWindow;
    }
    return nodes.script(flat, elements);
  }

  private static Script single(Draw d) {
    DatasetNodes nodes = new DatasetNodes(d.type());
    Output input = nodes.ofTensors("TensorDataset", d.tensor(Shape.of(2, 3)));
    return Script.on(nodes.tf).fetch(nodes.next("DatasetToSingleElement", input));
  }

  /** Files are read in {@code DatasetFilesTest}; here there are none. */
  private static OpRow noFiles(String op, Object... arguments) {
    return DatasetOpRows.row(
        op,
        d -> {
          DatasetNodes nodes = new DatasetNodes(STRING);
          OperationBuilder builder =
              nodes.tf.scope().operation(op).input(nodes.tf.constant(Tensor.of(new String[0])));
          for (Object argument : arguments) {
            builder.input(
                argument instanceof String text
                    ? nodes.tf.constant(text)
                    : nodes.tf.constant((long) argument));
          }
          return nodes.script(builder.buildOutput(), 0);
        });
  }
}
