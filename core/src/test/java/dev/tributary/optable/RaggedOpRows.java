package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

final class RaggedOpRows {
  private RaggedOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("RaggedTensorToTensor")
            .example(
                () ->
                    OpCall.of()
                        .constant(Tensor.scalar(-1L))
                        .input(Tensor.of(1f, 2f, 3f))
                        .input(Tensor.scalar(0f))
                        .input(Tensor.of(0L, 2L, 2L, 3L))
                        .attr("num_row_partition_tensors", 1)
                        .attr("row_partition_types", List.of("ROW_SPLITS")),
                Tensor.of(Shape.of(3, 2), 1f, 2f, 0f, 0f, 3f, 0f))
            .example(
                () ->
                    OpCall.of()
                        .constant(Tensor.of(2, 1))
                        .input(Tensor.of("a", "b", "c"))
                        .input(Tensor.scalar("-"))
                        .input(Tensor.scalar(3L))
                        .input(Tensor.of(0L, 0L, 2L))
                        .attr("num_row_partition_tensors", 2)
                        .attr("row_partition_types", List.of("FIRST_DIM_SIZE", "VALUE_ROWIDS")),
                Tensor.of(Shape.of(2, 1), "a", "-"))
            .types(ArrayDraws.ALL)
            .draw(RaggedOpRows::toTensor)
            .shapeDependsOnValues()
            .gradientOf(1, 2),
        OpRow.of("RaggedGather")
            .example(
                () ->
                    OpCall.of(Tensor.of(0L, 2L, 2L, 3L), Tensor.of("a", "b", "c"), Tensor.of(2, 0))
                        .attr("PARAMS_RAGGED_RANK", 1)
                        .attr("OUTPUT_RAGGED_RANK", 1),
                Tensor.of(0L, 1L, 3L),
                Tensor.of("c", "a", "b"))
            .types(ArrayDraws.ALL)
            .without(Draw.Size.SCALAR, "indices have a dimension")
            .draw(RaggedOpRows::gather)
            .shapeDependsOnValues()
            .gradientOf(1),
        OpRow.of("RaggedRange")
            .example(
                () -> OpCall.of(Tensor.of(2, 5), Tensor.of(4, 0), Tensor.of(1, -2)),
                Tensor.of(0L, 2L, 5L),
                Tensor.of(2, 3, 5, 3, 1))
            .types(INT32, INT64, FLOAT, DOUBLE)
            .draw(RaggedOpRows::range)
            .shapeDependsOnValues(),
        OpRow.of("RaggedTensorToSparse")
            .example(
                () ->
                    OpCall.of(Tensor.of(0L, 2L, 2L, 3L), Tensor.of("a", "b", "c"))
                        .attr("RAGGED_RANK", 1),
                Tensor.of(Shape.of(3, 2), 0L, 0L, 0L, 1L, 2L, 0L),
                Tensor.of("a", "b", "c"),
                Tensor.of(3L, 2L))
            .types(ArrayDraws.ALL)
            .without(Draw.Size.SCALAR, "rows are parts of a vector")
            .draw(
                d -> {
                  OpCall call = OpCall.of();
                  int depth = d.integer(1, 3);
                  nested(d, call, depth);
                  return call.attr("RAGGED_RANK", depth);
                })
            .shapeDependsOnValues()
            .withoutGradientCheck("which input has it depends on the rank; see RaggedOpsTest"));
  }

  /** Adds partitions and the values to a call. Returns the number of rows. */
  private static int nested(Draw d, OpCall call, int depth) {
    DataType type = d.oneOf(INT32, INT64);
    int first = d.integer(1, 4);
    int rows = first;
    for (int i = 0; i < depth; i++) {
      long[] lengths = new long[rows];
      rows = 0;
      for (int row = 0; row < lengths.length; row++) {
        lengths[row] = d.size() == Draw.Size.EMPTY ? 0 : d.integer(0, 3);
        rows += (int) lengths[row];
      }
      call.input(ArrayDraws.vector(type, splits(lengths)));
    }
    Shape inner = d.flip() ? Shape.scalar() : Shape.of(2);
    call.input(d.tensor(Shape.of(rows).concatenate(inner)));
    return first;
  }

  private static OpCall gather(Draw d) {
    OpCall call = OpCall.of();
    // The values, whose gradient is checked, are the second input of one partition.
    int depth = ArrayDraws.hasGradient(d) ? 1 : d.integer(1, 2);
    int rows = nested(d, call, depth);
    Shape shape = d.flip() ? Shape.of(d.integer(0, 4)) : Shape.of(d.integer(1, 2), 3);
    return call.input(d.indices(d.oneOf(INT32, INT64), shape, 0, rows))
        .attr("PARAMS_RAGGED_RANK", depth)
        .attr("OUTPUT_RAGGED_RANK", depth + shape.rank() - 1);
  }

  private static OpCall range(Draw d) {
    Shape vector = TextOpRows.vector(d);
    boolean scalars = d.size() == Draw.Size.SCALAR;
    Shape starts = scalars || d.size() != Draw.Size.EMPTY && d.flip() ? Shape.scalar() : vector;
    Tensor deltas = d.tensor(d.type(), Shape.scalar(), 1, 4);
    return OpCall.of(d.tensor(starts), d.tensor(scalars ? Shape.scalar() : vector), deltas)
        .attr("Tsplits", d.oneOf(INT32, INT64));
  }

  private static OpCall toTensor(Draw d) {
    DataType index = d.oneOf(INT32, INT64);
    int raggedRank = d.integer(1, 3);
    boolean byRow = d.flip();
    List<long[]> lengths = new ArrayList<>();
    int rows = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 4);
    int first = rows;
    for (int i = 0; i < raggedRank; i++) {
      long[] ofRows = new long[rows];
      rows = 0;
      for (int row = 0; row < ofRows.length; row++) {
        ofRows[row] = d.integer(0, 3);
        rows += (int) ofRows[row];
      }
      lengths.add(ofRows);
    }
    Shape inner = d.flip() ? Shape.scalar() : Shape.of(d.integer(1, 3), 2);
    long[] wanted = new long[raggedRank + 1];
    for (int i = 0; i < wanted.length; i++) {
      wanted[i] = d.flip() ? -1 : d.integer(0, 4);
    }
    long[] all = java.util.Arrays.copyOf(wanted, wanted.length + inner.rank());
    for (int i = 0; i < inner.rank(); i++) {
      all[wanted.length + i] = d.flip() ? -1 : inner.size(i);
    }
    OpCall call =
        OpCall.of()
            .constant(d.flip() ? ArrayDraws.scalar(index, -1) : ArrayDraws.vector(index, all))
            .input(d.tensor(Shape.of(rows).concatenate(inner)))
            .input(d.tensor(d.flip() ? inner : Shape.scalar()));
    List<String> types = new ArrayList<>();
    if (byRow) {
      call.input(ArrayDraws.scalar(index, first));
      types.add("FIRST_DIM_SIZE");
    }
    for (long[] ofRows : lengths) {
      call.input(ArrayDraws.vector(index, byRow ? rowIds(ofRows) : splits(ofRows)));
      types.add(byRow ? "VALUE_ROWIDS" : "ROW_SPLITS");
    }
    return call.attr("row_partition_types", types).attr("num_row_partition_tensors", types.size());
  }

  static long[] splits(long... lengths) {
    long[] splits = new long[lengths.length + 1];
    for (int i = 0; i < lengths.length; i++) {
      splits[i + 1] = splits[i] + lengths[i];
    }
    return splits;
  }

  private static long[] rowIds(long... lengths) {
    List<Long> ids = new ArrayList<>();
    for (int row = 0; row < lengths.length; row++) {
      for (int i = 0; i < lengths[row]; i++) {
        ids.add((long) row);
      }
    }
    return ids.stream().mapToLong(Long::longValue).toArray();
  }
}
