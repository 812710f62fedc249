package dev.tributary.optable;

import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.util.ArrayList;
import java.util.List;

/** Crosses of columns of all kinds in any order, as strings and as hashes. */
final class RaggedCrossOpRows {
  private static final int ROWS = 3;

  private RaggedCrossOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("RaggedCross")
            .types(STRING, INT64)
            .example(
                () ->
                    OpCall.of(Tensor.of("a", "b"), Tensor.of("c", "d", "e"))
                        .input(Tensor.of(0L, 2L, 2L))
                        .input(Tensor.of(0L, 1L, 3L))
                        .attr("Nsparse", 0)
                        .attr("input_order", "RR")
                        .attr("hashed_output", false)
                        .attr("num_buckets", 0)
                        .attr("hash_key", 1)
                        .attr("ragged_values_types", List.of(STRING, STRING))
                        .attr("ragged_splits_types", List.of(INT64, INT64))
                        .attr("sparse_values_types", List.of())
                        .attr("dense_types", List.of())
                        .attr("out_values_type", STRING)
                        .attr("out_row_splits_type", INT64),
                Tensor.of("a_X_c", "b_X_c"),
                Tensor.of(0L, 2L, 2L))
            .script(RaggedCrossOpRows::mixed));
  }

  private static Script mixed(Draw d) {
    Ops tf = Ops.create();
    DataType splitType = d.oneOf(INT32, INT64);
    boolean hashed = d.flip();
    String order = d.oneOf("R", "RS", "SRD", "DRS", "RDRS");
    List<Output> values = new ArrayList<>();
    List<Output> splits = new ArrayList<>();
    List<Output> indices = new ArrayList<>();
    List<Output> sparse = new ArrayList<>();
    List<Output> shapes = new ArrayList<>();
    List<Output> dense = new ArrayList<>();
    for (char kind : order.toCharArray()) {
      int first = d.integer(0, 2);
      int second = d.integer(0, 2);
      if (kind == 'R') {
        values.add(features(tf, d, first + second + 1));
        int[] ends = {0, first, first + second, first + second + 1};
        splits.add(tf.cast(tf.constant(ends), splitType));
      } else if (kind == 'S') {
        indices.add(Constants.taking(tf, Tensor.of(Shape.of(2, 2), 0L, 1L, 2L, 0L)));
        sparse.add(features(tf, d, 2));
        shapes.add(tf.constant(new long[] {ROWS, 4}));
      } else {
        dense.add(tf.reshape(features(tf, d, 2 * ROWS), ROWS, 2));
      }
    }
    List<Output> crosses =
        tf.scope()
            .operation("RaggedCross")
            .inputList(values)
            .inputList(splits)
            .inputList(indices)
            .inputList(sparse)
            .inputList(shapes)
            .inputList(dense)
            .attr("Nsparse", sparse.size())
            .attr("input_order", order)
            .attr("hashed_output", hashed)
            .attr("num_buckets", d.oneOf(0, 100))
            .attr("hash_key", 956888297470L)
            .attr("out_values_type", hashed ? INT64 : STRING)
            .attr("out_row_splits_type", splitType)
            .build()
            .outputs();
    return Script.on(tf).fetch(crosses.get(0), crosses.get(1));
  }

  private static Output features(Ops tf, Draw d, int count) {
    return Constants.taking(
        tf,
        d.type() == STRING
            ? d.tensor(STRING, Shape.of(count), 0, 9)
            : d.indices(INT64, Shape.of(count), 0, 99));
  }
}
