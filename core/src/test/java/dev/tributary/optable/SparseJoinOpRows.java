package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

final class SparseJoinOpRows {
  private SparseJoinOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("SparseReorder")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(2, 2), 1L, 0L, 0L, 1L),
                        Tensor.of("b", "a"),
                        Tensor.of(2L, 2L)),
                Tensor.of(Shape.of(2, 2), 0L, 1L, 1L, 0L),
                Tensor.of("a", "b"))
            .types(ArrayDraws.ALL)
            .without(Draw.Size.SCALAR, "indices are a matrix")
            .draw(d -> SparseDraw.of(d, SparseOpRows.full(d, 1, 3)).shuffled().call())
            .gradientOf(1)
            .gradientFrom(1),
        OpRow.of("SparseConcat")
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(Shape.of(1, 2), 1L, 0L),
                            Tensor.of(Shape.of(1, 2), 0L, 1L),
                            Tensor.of("a"),
                            Tensor.of("b"),
                            Tensor.of(2L, 3L),
                            Tensor.of(2L, 2L))
                        .attr("N", 2)
                        .attr("concat_dim", 1),
                Tensor.of(Shape.of(2, 2), 0L, 4L, 1L, 0L),
                Tensor.of("b", "a"),
                Tensor.of(2L, 5L))
            .types(ArrayDraws.ALL)
            .without(Draw.Size.SCALAR, "indices are a matrix")
            .draw(SparseJoinOpRows::concat)
            .shapeDependsOnValues(),
        OpRow.of("SparseSlice")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(2, 2), 0L, 0L, 1L, 2L),
                        Tensor.of(1f, 2f),
                        Tensor.of(2L, 3L),
                        Tensor.of(1L, 1L),
                        Tensor.of(1L, 9L)),
                Tensor.of(Shape.of(1, 2), 0L, 1L),
                Tensor.of(2f),
                Tensor.of(1L, 2L))
            .types(ArrayDraws.ALL)
            .without(Draw.Size.SCALAR, "indices are a matrix")
            .draw(
                d -> {
                  SparseDraw input = SparseDraw.of(d, SparseOpRows.full(d, 1, 3));
                  Shape rank = Shape.of(input.shape().rank());
                  return input
                      .call()
                      .input(d.indices(INT64, rank, 0, 3))
                      .input(d.indices(INT64, rank, 1, 5));
                })
            .shapeDependsOnValues()
            .gradientOf(1)
            .gradientFrom(1),
        OpRow.of("SparseSliceGrad")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(5f),
                        Tensor.of(Shape.of(2, 1), 0L, 2L),
                        Tensor.of(1L),
                        Tensor.of(Shape.of(1, 1), 1L)),
                Tensor.of(0f, 5f))
            .types(FLOAT, DOUBLE, INT32, INT64)
            .types(ArrayDraws.COMPLEX)
            .without(Draw.Size.SCALAR, "indices are a matrix")
            .draw(
                d -> {
                  SparseDraw input = SparseDraw.of(d, SparseOpRows.full(d, 1, 3));
                  Tensor start = Tensor.zeros(INT64, Shape.of(input.shape().rank()));
                  return OpCall.of(input.values(), input.indices(), start, input.indices());
                }),
        OpRow.of("SparseSplit")
            .example(
                () ->
                    OpCall.of(
                            Tensor.scalar(1L),
                            Tensor.of(Shape.of(2, 2), 0L, 0L, 1L, 2L),
                            Tensor.of("a", "b"),
                            Tensor.of(2L, 3L))
                        .attr("num_split", 2),
                Tensor.of(Shape.of(1, 2), 0L, 0L),
                Tensor.of(Shape.of(1, 2), 1L, 0L),
                Tensor.of("a"),
                Tensor.of("b"),
                Tensor.of(2L, 2L),
                Tensor.of(2L, 1L))
            .types(ArrayDraws.ALL)
            .draw(
                d -> {
                  SparseDraw input = SparseDraw.of(d, SparseOpRows.full(d, 1, 3));
                  int axis = d.integer(0, input.shape().rank() - 1);
                  return OpCall.of(
                          Tensor.scalar((long) axis),
                          input.indices(),
                          input.values(),
                          input.sizes())
                      .attr("num_split", d.integer(1, (int) input.shape().size(axis)));
                })
            .shapeDependsOnValues(),
        cross("SparseCross")
            .example(
                () ->
                    smallCross()
                        .attr("hashed_output", true)
                        .attr("num_buckets", 100)
                        .attr("hash_key", 0xDECAFCAFFEL)
                        .attr("out_type", INT64)
                        .attr("internal_type", INT64),
                Tensor.of(Shape.of(1, 2), 0L, 0L),
                Tensor.of(83L),
                Tensor.of(1L, 1L))
            .draw(
                d -> {
                  boolean hashed = d.flip();
                  return columns(d, true)
                      .attr("hashed_output", hashed)
                      .attr("num_buckets", d.oneOf(0, 100))
                      .attr("hash_key", d.oneOf(0xDECAFCAFFEL, 7L))
                      .attr("out_type", hashed ? INT64 : STRING)
                      .attr("internal_type", INT64);
                }),
        cross("SparseCrossV2")
            .example(
                () -> smallCross().input(Tensor.scalar("-")),
                Tensor.of(Shape.of(1, 2), 0L, 0L),
                Tensor.of("batch1-FC1-F1-batch1-FC2-F1-batch1-FC3-F1"),
                Tensor.of(1L, 1L))
            .draw(d -> columns(d, true).input(Tensor.scalar(d.oneOf("", "_Y_")))),
        cross("SparseCrossHashed")
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(Shape.of(2, 1), 3L, 4L),
                            Tensor.scalar(10L),
                            Tensor.scalar(false),
                            Tensor.of(0L, 0L))
                        .attr("N", 0)
                        .attr("sparse_types", List.of())
                        .attr("dense_types", List.of(INT64)),
                Tensor.of(Shape.of(2, 2), 0L, 0L, 1L, 0L),
                Tensor.of(3L, 4L),
                Tensor.of(2L, 1L))
            .draw(
                d ->
                    columns(d, false)
                        .input(Tensor.scalar(d.oneOf(0L, 100L)))
                        .input(Tensor.scalar(d.flip()))
                        .input(Tensor.of(d.random().nextLong(), 5L))));
  }

  private static OpRow cross(String op) {
    return OpRow.of(op)
        .types(STRING, INT64)
        .without(Draw.Size.SCALAR, "columns are matrices")
        .shapeDependsOnValues();
  }

  /** TensorFlow's own example of a cross. */
  private static OpCall smallCross() {
    OpCall call = OpCall.of();
    for (int i = 0; i < 3; i++) {
      call.input(Tensor.of(Shape.of(1, 2), 0L, 0L));
    }
    for (int i = 1; i <= 3; i++) {
      call.input(Tensor.of("batch1-FC" + i + "-F1"));
    }
    for (int i = 0; i < 3; i++) {
      call.input(Tensor.of(1L, 1L));
    }
    return call.attr("N", 3)
        .attr("sparse_types", List.of(STRING, STRING, STRING))
        .attr("dense_types", List.of());
  }

  /** A sparse column or two of the draw's type, and if wanted a dense one of either type. */
  private static OpCall columns(Draw d, boolean withDense) {
    int rows = d.integer(1, 4);
    int count = d.integer(1, 2);
    List<SparseDraw> sparse = new ArrayList<>();
    List<DataType> types = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sparse.add(SparseDraw.of(d, Shape.of(rows, d.integer(1, 4))));
      types.add(d.type());
    }
    OpCall call = OpCall.of();
    sparse.forEach(column -> call.input(column.indices()));
    sparse.forEach(column -> call.input(column.values()));
    sparse.forEach(column -> call.input(column.sizes()));
    List<DataType> dense = withDense ? List.of(d.oneOf(STRING, INT64)) : List.of();
    dense.forEach(type -> call.input(d.tensor(type, Shape.of(rows, d.integer(1, 2)), -9, 9)));
    return call.attr("N", count).attr("sparse_types", types).attr("dense_types", dense);
  }

  private static OpCall concat(Draw d) {
    Shape shape = SparseOpRows.full(d, 1, 3);
    int axis = d.integer(0, shape.rank() - 1);
    int count = d.integer(2, 3);
    List<SparseDraw> inputs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      SparseDraw input = SparseDraw.of(d, shape.withSize(axis, d.integer(1, 4)));
      inputs.add(d.flip() ? input : input.shuffled());
    }
    OpCall call = OpCall.of();
    inputs.forEach(input -> call.input(input.indices()));
    inputs.forEach(input -> call.input(input.values()));
    inputs.forEach(input -> call.input(input.sizes()));
    return call.attr("N", count).attr("concat_dim", d.flip() ? axis : axis - shape.rank());
  }
}
