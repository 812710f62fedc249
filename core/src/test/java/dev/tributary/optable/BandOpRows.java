package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;

import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Matrices that are given by their diagonals. */
final class BandOpRows {
  private static final String MATRICES = "matrices have two dimensions";

  private BandOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        row("BandedTriangularSolve")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(2, 2), 2f, 4f, 9f, 1f),
                        Tensor.of(Shape.of(2, 1), 4f, 6f)),
                Tensor.of(Shape.of(2, 1), 2f, 1f))
            .without(Draw.Size.EMPTY, "the bands must have elements")
            .draw(BandOpRows::banded)
            .gradientOf(0, 1),
        row("TridiagonalMatMul")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(1, 2), 3f, 9f),
                        Tensor.of(Shape.of(1, 2), 1f, 2f),
                        Tensor.of(Shape.of(1, 2), 9f, 4f),
                        Tensor.of(Shape.of(2, 1), 1f, 10f)),
                Tensor.of(Shape.of(2, 1), 31f, 24f))
            .draw(
                d -> {
                  Shape right = right(d);
                  Shape diagonal = diagonals(right, 1);
                  return OpCall.of(
                      d.tensor(diagonal), d.tensor(diagonal), d.tensor(diagonal), d.tensor(right));
                })
            .gradientOf(0, 1, 2, 3),
        row("TridiagonalSolve")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(3, 2), 3f, 9f, 1f, 2f, 9f, 4f),
                        Tensor.of(Shape.of(2, 1), 31f, 24f)),
                Tensor.of(Shape.of(2, 1), 1f, 10f))
            .draw(
                d -> {
                  Shape right = right(d);
                  return OpCall.of(d.tensor(d.type(), diagonals(right, 3), 1, 3), d.tensor(right))
                      .attr("partial_pivoting", d.flip());
                })
            .gradientOf(0, 1));
  }

  private static OpRow row(String op) {
    return OpRow.of(op).types(FLOAT, DOUBLE).tolerance(1e-3).without(Draw.Size.SCALAR, MATRICES);
  }

  private static Shape right(Draw d) {
    Shape batch =
        d.size() == Draw.Size.EMPTY ? Shape.of(0) : d.flip() ? Shape.of(2) : Shape.scalar();
    return batch.concatenate(Shape.of(d.integer(1, 5), d.integer(1, 3)));
  }

  private static Shape diagonals(Shape right, int rows) {
    int rank = right.rank();
    return right.withSize(rank - 2, rows).withSize(rank - 1, right.size(-2));
  }

  private static OpCall banded(Draw d) {
    Shape right = right(d);
    Shape bands = diagonals(right, d.integer(1, (int) Math.min(3, right.size(-2))));
    boolean repeated = d.size() == Draw.Size.ORDINARY && d.flip();
    return OpCall.of(
            d.tensor(
                d.type(), repeated ? bands.slice(bands.rank() - 2, bands.rank()) : bands, 1, 3),
            d.tensor(right))
        .attr("lower", d.flip())
        .attr("adjoint", d.flip());
  }
}
