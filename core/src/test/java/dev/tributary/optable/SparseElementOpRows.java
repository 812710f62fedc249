package dev.tributary.optable;

import static dev.tributary.tensor.DataType.BFLOAT16;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

final class SparseElementOpRows {
  private SparseElementOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        withDense("SparseDenseCwiseAdd", 7f, 9f).types(FLOAT, DOUBLE, INT32, INT64, INT8, INT16),
        withDense("SparseDenseCwiseMul", 10f, 14f)
            .types(FLOAT, DOUBLE, INT32, INT64)
            .gradientOf(1, 3),
        withDense("SparseDenseCwiseDiv", 2.5f, 3.5f).types(FLOAT, DOUBLE).gradientOf(1, 3),
        ofBoth("SparseSparseMaximum", 0f, 4f, 3f),
        ofBoth("SparseSparseMinimum", -1f, 2f, 0f),
        OpRow.of("SparseReduceSumSparse")
            .example(
                () -> SparseElementOpRows.corners().constant(Tensor.of(1)),
                Tensor.of(Shape.of(2, 1), 0L, 1L),
                Tensor.of(2f, 1f),
                Tensor.of(2L))
            .types(FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16)
            .types(ArrayDraws.COMPLEX)
            .without(Draw.Size.SCALAR, "indices are a matrix")
            .draw(SparseMathOpRows::reduction)
            .shapeDependsOnValues(),
        OpRow.of("SparseReduceMaxSparse")
            .example(
                () -> SparseElementOpRows.corners().constant(Tensor.of(0)),
                Tensor.of(Shape.of(3, 1), 0L, 1L, 2L),
                Tensor.of(1f, 1f, 1f),
                Tensor.of(3L))
            .types(FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16)
            .without(Draw.Size.SCALAR, "indices are a matrix")
            .draw(SparseMathOpRows::reduction)
            .shapeDependsOnValues(),
        OpRow.of("SparseMatMul")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 2), 2f, 0f), Tensor.of(Shape.of(2, 1), 3f, 4f)),
                Tensor.of(Shape.of(1, 1), 6f))
            .types(FLOAT)
            .without(Draw.Size.SCALAR, "a product of matrices")
            .draw(
                d -> {
                  boolean transposeA = d.flip();
                  boolean transposeB = d.flip();
                  long m = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 4);
                  long k = d.integer(1, 4);
                  long n = d.integer(1, 4);
                  return OpCall.of(
                          d.tensor(transposeA ? Shape.of(k, m) : Shape.of(m, k)),
                          d.tensor(
                              d.oneOf(FLOAT, BFLOAT16),
                              transposeB ? Shape.of(n, k) : Shape.of(k, n),
                              -2,
                              2))
                      .attr("transpose_a", transposeA)
                      .attr("transpose_b", transposeB)
                      .attr("a_is_sparse", d.flip())
                      .attr("b_is_sparse", d.flip());
                })
            .gradientOf(0));
  }

  private static OpCall corners() {
    return OpCall.of(Tensor.of(Shape.of(3, 2), 0L, 0L, 0L, 2L, 1L, 1L), Tensor.of(1f, 1f, 1f))
        .constant(Tensor.of(2L, 3L));
  }

  private static OpRow withDense(String op, float first, float second) {
    return OpRow.of(op)
        .example(
            () ->
                OpCall.of(
                    Tensor.of(Shape.of(2, 2), 0L, 1L, 1L, 0L),
                    Tensor.of(5f, 7f),
                    Tensor.of(2L, 2L),
                    Tensor.of(2f)),
            Tensor.of(first, second))
        .without(Draw.Size.SCALAR, "indices are a matrix")
        .draw(
            d -> {
              SparseDraw sparse = SparseDraw.of(d, SparseOpRows.full(d, 1, 3));
              Shape dense = sparse.shape();
              for (int i = 0; i < dense.rank(); i++) {
                dense = d.flip() ? dense.withSize(i, 1) : dense;
              }
              dense = dense.slice(d.integer(0, dense.rank() - 1), dense.rank());
              return sparse.call().input(d.tensor(d.type(), dense, 0.5, 3));
            });
  }

  private static OpRow ofBoth(String op, float... values) {
    return OpRow.of(op)
        .example(
            () ->
                OpCall.of(
                    Tensor.of(Shape.of(2, 1), 0L, 2L),
                    Tensor.of(-1f, 2f),
                    Tensor.of(4L),
                    Tensor.of(Shape.of(2, 1), 2L, 3L),
                    Tensor.of(4f, 3f),
                    Tensor.of(4L)),
            Tensor.of(Shape.of(3, 1), 0L, 2L, 3L),
            Tensor.of(values))
        .types(FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16)
        .without(Draw.Size.SCALAR, "indices are a matrix")
        .draw(
            d -> {
              Shape shape = SparseOpRows.full(d, 1, 3);
              SparseDraw a = SparseDraw.of(d, shape);
              SparseDraw b = SparseDraw.of(d, shape);
              return OpCall.of(
                  a.indices(), a.values(), a.sizes(), b.indices(), b.values(), b.sizes());
            })
        .shapeDependsOnValues();
  }
}
