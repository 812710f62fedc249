package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.STRING;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.stream.IntStream;

final class SparseMathOpRows {
  private SparseMathOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("SparseAdd")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(2, 1), 0L, 2L),
                        Tensor.of(1f, 2f),
                        Tensor.of(3L),
                        Tensor.of(Shape.of(2, 1), 1L, 2L),
                        Tensor.of(3f, -2f),
                        Tensor.of(3L),
                        Tensor.scalar(0.5f)),
                Tensor.of(Shape.of(2, 1), 0L, 1L),
                Tensor.of(1f, 3f),
                Tensor.of(3L))
            .types(FLOAT, DOUBLE, INT32, INT64, INT8, INT16)
            .draw(
                d -> {
                  Shape shape = SparseOpRows.full(d, 1, 3);
                  SparseDraw a = SparseDraw.of(d, shape);
                  SparseDraw b = SparseDraw.of(d, shape);
                  // Without a threshold for the real ones: it makes the sum jump.
                  Tensor threshold =
                      d.type().isFloating()
                          ? Tensor.zeros(d.type(), Shape.scalar())
                          : d.tensor(Shape.scalar());
                  return OpCall.of(
                      a.indices(),
                      a.values(),
                      a.sizes(),
                      b.indices(),
                      b.values(),
                      b.sizes(),
                      threshold);
                })
            .shapeDependsOnValues()
            .gradientOf(1, 4)
            .gradientFrom(1),
        OpRow.of("SparseAddGrad")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(5f, 6f),
                        Tensor.of(Shape.of(2, 1), 0L, 2L),
                        Tensor.of(Shape.of(1, 1), 1L),
                        Tensor.of(Shape.of(2, 1), 0L, 1L)),
                Tensor.of(5f, 0f),
                Tensor.of(6f))
            .types(FLOAT, DOUBLE, INT32, INT64)
            .types(ArrayDraws.COMPLEX)
            .without(Draw.Size.SCALAR, "indices are a matrix")
            .draw(
                d -> {
                  Shape shape = SparseOpRows.full(d, 1, 3);
                  SparseDraw a = SparseDraw.of(d, shape);
                  SparseDraw b = SparseDraw.of(d, shape);
                  SparseDraw all = SparseDraw.of(d, shape, 4);
                  return OpCall.of(all.values(), a.indices(), b.indices(), all.indices());
                }),
        OpRow.of("SparseTensorDenseAdd")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(2, 1), 2, 2),
                        Tensor.of(1f, 2f),
                        Tensor.of(3),
                        Tensor.of(1f, 1f, 1f)),
                Tensor.of(1f, 1f, 4f))
            .types(FLOAT, DOUBLE, INT32, INT64)
            .types(ArrayDraws.COMPLEX)
            .without(Draw.Size.SCALAR, "indices are a matrix")
            .draw(
                d -> {
                  SparseDraw a = SparseDraw.of(d, SparseOpRows.full(d, 1, 3));
                  DataType type = d.oneOf(INT32, INT64);
                  return OpCall.of(a.indices(type), a.values())
                      .constant(a.sizes(type))
                      .input(d.tensor(a.shape()));
                })
            .gradientOf(1, 3),
        OpRow.of("SparseTensorDenseMatMul")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(2, 2), 0L, 1L, 1L, 0L), Tensor.of(2f, 3f))
                        .constant(Tensor.of(2L, 2L))
                        .input(Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f)),
                Tensor.of(Shape.of(2, 2), 6f, 8f, 3f, 6f))
            .types(FLOAT, DOUBLE, INT32)
            .without(Draw.Size.SCALAR, "a product of matrices")
            .draw(
                d -> {
                  SparseDraw a = SparseDraw.of(d, SparseOpRows.matrix(d)).shuffled();
                  boolean adjointA = d.flip();
                  boolean adjointB = d.flip();
                  long inner = a.shape().size(adjointA ? 0 : 1);
                  long columns = d.integer(1, 4);
                  return OpCall.of(a.indices(d.oneOf(INT32, INT64)), a.values())
                      .constant(a.sizes())
                      .input(
                          d.tensor(adjointB ? Shape.of(columns, inner) : Shape.of(inner, columns)))
                      .attr("adjoint_a", adjointA)
                      .attr("adjoint_b", adjointB);
                })
            .gradientOf(1, 3),
        OpRow.of("SparseReduceSum")
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(Shape.of(3, 2), 0L, 0L, 0L, 2L, 1L, 1L),
                            Tensor.of(1f, 1f, 1f))
                        .constant(Tensor.of(2L, 3L))
                        .constant(Tensor.of(1)),
                Tensor.of(2f, 1f))
            .types(FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16)
            .types(ArrayDraws.COMPLEX)
            .draw(SparseMathOpRows::reduction)
            .gradientOf(1),
        OpRow.of("SparseReduceMax")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(2, 2), 0L, 0L, 0L, 2L), Tensor.of(-3f, -2f))
                        .constant(Tensor.of(2L, 3L))
                        .constant(Tensor.of(1)),
                Tensor.of(-2f, 0f))
            .types(FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16)
            .draw(SparseMathOpRows::reduction),
        OpRow.of("SparseSoftmax")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(3, 2), 0L, 0L, 0L, 2L, 1L, 1L),
                        Tensor.of(2f, 2f, 9f),
                        Tensor.of(2L, 3L)),
                Tensor.of(0.5f, 0.5f, 1f))
            .types(FLOAT, DOUBLE)
            .without(Draw.Size.SCALAR, "rows are parts of a matrix")
            .draw(d -> SparseDraw.of(d, SparseOpRows.full(d, 2, 3)).call())
            .gradientOf(1),
        OpRow.of("EditDistance")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(2, 2), 0L, 0L, 0L, 1L),
                        Tensor.of("a", "b"),
                        Tensor.of(1L, 2L),
                        Tensor.of(Shape.of(4, 2), 0L, 0L, 0L, 1L, 0L, 2L, 0L, 3L),
                        Tensor.of("a", "c", "b", "d"),
                        Tensor.of(1L, 4L)),
                Tensor.of(0.5f))
            .types(INT32, INT64, FLOAT, UINT8, STRING)
            .without(Draw.Size.SCALAR, "sequences are rows")
            .draw(
                d -> {
                  Shape leading = SparseOpRows.full(d, 1, 2);
                  SparseDraw a = SparseDraw.of(d, leading.concatenate(Shape.of(4)));
                  SparseDraw b = SparseDraw.of(d, leading.concatenate(Shape.of(3)));
                  return OpCall.of(a.indices(), small(d, a.count()))
                      .constant(a.sizes())
                      .input(b.indices())
                      .input(small(d, b.count()))
                      .constant(b.sizes())
                      .attr("normalize", d.flip());
                }));
  }

  /** Values of which many are equal. */
  private static Tensor small(Draw d, int count) {
    return d.tensor(d.type(), Shape.of(count), 0, 2.9);
  }

  static OpCall reduction(Draw d) {
    SparseDraw input = SparseDraw.of(d, SparseOpRows.full(d, 1, 3)).shuffled();
    int rank = input.shape().rank();
    int axis = d.integer(-rank, rank - 1);
    int[] axes = d.integer(0, 3) == 0 ? new int[0] : new int[] {axis};
    if (d.size() == Draw.Size.SCALAR) {
      axes = IntStream.range(0, rank).toArray();
    }
    return input
        .call()
        .constant(Tensor.of(axes))
        .attr("keep_dims", d.size() != Draw.Size.SCALAR && d.flip());
  }
}
