package dev.tributary.optable;

import static dev.tributary.tensor.DataType.BFLOAT16;
import static dev.tributary.tensor.DataType.BOOL;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.HALF;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.internal.kernel.array.Diagonals;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Bands and diagonals of matrices. */
final class MatrixOpRows {
  private static final DataType[] PLAIN = {
    FLOAT,
    DOUBLE,
    INT32,
    INT64,
    UINT8,
    INT8,
    INT16,
    BOOL,
    HALF,
    BFLOAT16,
    DataType.COMPLEX64,
    DataType.COMPLEX128
  };

  private static final String MATRICES = "matrices have two dimensions";

  private MatrixOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("MatrixBandPart")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(3, 3), 1f, 2f, 3f, 4f, 5f, 6f, 7f, 8f, 9f),
                        Tensor.scalar(1L),
                        Tensor.scalar(0L)),
                Tensor.of(Shape.of(3, 3), 1f, 0f, 0f, 4f, 5f, 0f, 0f, 8f, 9f))
            .types(PLAIN)
            .draw(MatrixOpRows::bandPart)
            .gradientOf(0),
        OpRow.of("Diag")
            .example(() -> OpCall.of(Tensor.of(1f, 2f)), Tensor.of(Shape.of(2, 2), 1f, 0f, 0f, 2f))
            .types(FLOAT, DOUBLE, INT32, INT64, HALF)
            .types(ArrayDraws.COMPLEX)
            .without(Draw.Size.SCALAR, "a diagonal has a dimension")
            .draw(d -> OpCall.of(d.tensor(d.shape(1, 2))))
            .gradientOf(0),
        OpRow.of("DiagPart")
            .example(() -> OpCall.of(Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f)), Tensor.of(1f, 4f))
            .types(FLOAT, DOUBLE, INT32, INT64, HALF)
            .types(ArrayDraws.COMPLEX)
            .without(Draw.Size.SCALAR, "a diagonal has a dimension")
            .draw(
                d -> {
                  Shape half = d.shape(1, 2);
                  return OpCall.of(d.tensor(half.concatenate(half)));
                })
            .gradientOf(0),
        OpRow.of("MatrixDiag")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(1, 2), 1f, 2f)),
                Tensor.of(Shape.of(1, 2, 2), 1f, 0f, 0f, 2f))
            .types(PLAIN)
            .without(Draw.Size.SCALAR, "a diagonal has a dimension")
            .draw(d -> OpCall.of(d.tensor(d.shape(1, 3))))
            .gradientOf(0),
        OpRow.of("MatrixDiagPart")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(2, 3), 1f, 2f, 3f, 4f, 5f, 6f)),
                Tensor.of(1f, 5f))
            .types(PLAIN)
            .without(Draw.Size.SCALAR, MATRICES)
            .draw(d -> OpCall.of(d.tensor(d.shape(2, 4))))
            .gradientOf(0),
        OpRow.of("MatrixSetDiag")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(2, 3), 1f, 2f, 3f, 4f, 5f, 6f), Tensor.of(8f, 9f)),
                Tensor.of(Shape.of(2, 3), 8f, 2f, 3f, 4f, 9f, 6f))
            .types(PLAIN)
            .without(Draw.Size.SCALAR, MATRICES)
            .draw(
                d -> {
                  Shape shape = d.shape(2, 4);
                  return OpCall.of(d.tensor(shape), d.tensor(Diagonals.Range.MAIN.parts(shape)));
                })
            .gradientOf(0, 1),
        diag("MatrixDiagV2").draw(d -> diag(d, false)),
        diag("MatrixDiagV3").draw(d -> diag(d, true)),
        OpRow.of("MatrixDiagPartV2")
            .example(() -> part(Tensor.of(0, 1)), Tensor.of(Shape.of(2, 2), 2f, 6f, 1f, 5f))
            .types(PLAIN)
            .draw(d -> part(d, false))
            .gradientOf(0),
        OpRow.of("MatrixDiagPartV3")
            .example(() -> part(Tensor.of(-1, 0)), Tensor.of(Shape.of(2, 2), 1f, 5f, 4f, 9f))
            .example(
                () -> part(Tensor.of(-1, 0)).attr("align", "RIGHT_RIGHT"),
                Tensor.of(Shape.of(2, 2), 1f, 5f, 9f, 4f))
            .types(PLAIN)
            .draw(d -> part(d, true))
            .gradientOf(0),
        setDiag("MatrixSetDiagV2").draw(d -> setDiag(d, false)),
        setDiag("MatrixSetDiagV3").draw(d -> setDiag(d, true)));
  }

  private static OpRow diag(String op) {
    return OpRow.of(op)
        .example(
            () ->
                OpCall.of(Tensor.of(1f, 2f))
                    .constant(Tensor.scalar(1))
                    .constant(Tensor.scalar(-1))
                    .constant(Tensor.scalar(3))
                    .input(Tensor.scalar(9f)),
            Tensor.of(Shape.of(2, 3), 9f, 1f, 9f, 9f, 9f, 2f))
        .types(PLAIN)
        .gradientOf(0);
  }

  private static OpRow setDiag(String op) {
    return OpRow.of(op)
        .example(
            () ->
                OpCall.of(Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f), Tensor.of(7f))
                    .constant(Tensor.scalar(-1)),
            Tensor.of(Shape.of(2, 2), 1f, 2f, 7f, 4f))
        .types(PLAIN)
        .gradientOf(0, 1);
  }

  private static OpCall part(Tensor k) {
    return OpCall.of(Tensor.of(Shape.of(2, 3), 1f, 2f, 3f, 4f, 5f, 6f))
        .constant(k)
        .input(Tensor.scalar(9f));
  }

  /** Matrices that have elements, though there may be none of them. */
  private static Shape matrices(Draw d) {
    Shape matrix = Shape.of(d.integer(1, 4), d.integer(1, 4));
    Shape batch =
        d.size() == Draw.Size.EMPTY ? Shape.of(2, 0) : d.flip() ? Shape.scalar() : Shape.of(3);
    return batch.concatenate(matrix);
  }

  private static Tensor range(Draw d, Shape matrices) {
    int low = d.integer(1 - (int) matrices.size(-2), (int) matrices.size(-1) - 1);
    int high = d.integer(low, (int) matrices.size(-1) - 1);
    return d.flip() ? Tensor.scalar(low) : Tensor.of(low, high);
  }

  private static OpCall diag(Draw d, boolean aligned) {
    Shape matrices = matrices(d);
    Tensor k = range(d, matrices);
    Shape parts = parts(k, matrices);
    OpCall call =
        OpCall.of(d.tensor(parts))
            .constant(k)
            .constant(Tensor.scalar((int) matrices.size(-2)))
            .constant(Tensor.scalar((int) matrices.size(-1)))
            .input(d.tensor(Shape.scalar()));
    return aligned ? align(d, call) : call;
  }

  private static OpCall part(Draw d, boolean aligned) {
    Shape matrices = matrices(d);
    OpCall call =
        OpCall.of(d.tensor(matrices)).constant(range(d, matrices)).input(d.tensor(Shape.scalar()));
    return aligned ? align(d, call) : call;
  }

  private static OpCall setDiag(Draw d, boolean aligned) {
    Shape matrices = matrices(d);
    Tensor k = d.size() == Draw.Size.SCALAR ? Tensor.scalar(0) : range(d, matrices);
    OpCall call = OpCall.of(d.tensor(matrices), d.tensor(parts(k, matrices))).constant(k);
    return aligned ? align(d, call) : call;
  }

  private static Shape parts(Tensor k, Shape matrices) {
    return Diagonals.Range.of(k.toIndices()).parts(matrices);
  }

  private static OpCall align(Draw d, OpCall call) {
    return call.attr("align", d.oneOf("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT"));
  }

  private static OpCall bandPart(Draw d) {
    Shape shape = ArrayDraws.shape(d, 2, 4);
    DataType type = d.oneOf(INT32, INT64);
    return OpCall.of(
        d.tensor(shape),
        ArrayDraws.scalar(type, d.integer(-1, (int) shape.size(-2))),
        ArrayDraws.scalar(type, d.integer(-1, (int) shape.size(-1))));
  }
}
