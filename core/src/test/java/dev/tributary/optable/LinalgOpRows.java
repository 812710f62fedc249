package dev.tributary.optable;

import static dev.tributary.optable.ArrayDraws.COMPLEX;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;

import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

final class LinalgOpRows {
  private LinalgOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        product("MatMul")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 2), 1f, 2f), Tensor.of(Shape.of(2, 1), 3f, 4f)),
                Tensor.of(Shape.of(1, 1), 11f))
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 2), 1, 2), Tensor.of(Shape.of(1, 2), 3, 4))
                        .attr("transpose_a", true),
                Tensor.of(Shape.of(2, 2), 3, 4, 6, 8))
            .draw(LinalgOpRows::matMul),
        product("BatchMatMul")
            .example(LinalgOpRows::twoProducts, twoResults())
            .draw(d -> batchMatMul(d, false)),
        product("BatchMatMulV2")
            .example(LinalgOpRows::twoProducts, twoResults())
            .draw(d -> batchMatMul(d, true)),
        product("BatchMatMulV3")
            .example(() -> twoProducts().attr("Tout", FLOAT), twoResults())
            .draw(d -> batchMatMul(d, true).attr("Tout", d.type())),
        OpRow.of("Einsum")
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f),
                            Tensor.of(Shape.of(2, 1), 5f, 6f))
                        .attr("equation", "ij,jk->ki"),
                Tensor.of(Shape.of(1, 2), 17f, 39f))
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f)).attr("equation", "ii->"),
                Tensor.scalar(5f))
            .example(
                () -> OpCall.of(Tensor.of(1f, 2f)).attr("equation", "i->ii"),
                Tensor.of(Shape.of(2, 2), 1f, 0f, 0f, 2f))
            .types(FLOAT, DOUBLE, INT32, INT64)
            .types(COMPLEX)
            .without(Draw.Size.SCALAR, "most equations have labels")
            .draw(LinalgOpRows::einsum)
            .gradientOf(0, 1));
  }

  private static OpCall twoProducts() {
    return OpCall.of(
        Tensor.of(Shape.of(2, 1, 2), 1f, 2f, 3f, 4f), Tensor.of(Shape.of(2, 2, 1), 3f, 4f, 5f, 6f));
  }

  private static Tensor twoResults() {
    return Tensor.of(Shape.of(2, 1, 1), 11f, 39f);
  }

  private static OpRow product(String op) {
    return OpRow.of(op)
        .types(FLOAT, DOUBLE, INT32, INT64)
        .types(COMPLEX)
        .without(Draw.Size.SCALAR, "factors are matrices")
        .gradientOf(0, 1);
  }

  private static OpCall matMul(Draw d) {
    long[] sizes = sizes(d);
    boolean transposeA = d.flip();
    boolean transposeB = d.flip();
    return OpCall.of(
            d.tensor(matrix(Shape.scalar(), sizes[0], sizes[1], transposeA)),
            d.tensor(matrix(Shape.scalar(), sizes[1], sizes[2], transposeB)))
        .attr("transpose_a", transposeA)
        .attr("transpose_b", transposeB);
  }

  private static OpCall batchMatMul(Draw d, boolean broadcast) {
    long[] sizes = sizes(d);
    boolean adjointX = d.flip();
    boolean adjointY = d.flip();
    Shape batch = Shape.of(d.integer(1, 3), d.integer(1, 3)).slice(d.integer(0, 1), 2);
    Shape left = broadcast ? Pairs.narrower(d, batch) : batch;
    Shape right = broadcast && d.flip() ? Pairs.narrower(d, batch) : batch;
    return OpCall.of(
            d.tensor(matrix(left, sizes[0], sizes[1], adjointX)),
            d.tensor(matrix(right, sizes[1], sizes[2], adjointY)))
        .attr("adj_x", adjointX)
        .attr("adj_y", adjointY);
  }

  private static OpCall einsum(Draw d) {
    String equation =
        d.oneOf(
            "ij,jk->ik",
            "bij,bjk->bik",
            "bnqd,bnkd->bnqk",
            "aecd,abcd->acbe",
            "ij,kl->ki",
            "i,j->ij",
            "i,i->",
            "iij,jk->ki",
            "ab,b->aab",
            "...ij,...jk->...ik",
            "i...,...j->j...i",
            "i...j,jk->ik...",
            "ij->ji",
            "ij->",
            "iji->j",
            "i->ii",
            "ij...->...i");
    String[] operands = equation.split("->")[0].split(",");
    long[] sizes = new long['z' + 1];
    for (char label = 'a'; label <= 'z'; label++) {
      sizes[label] = d.integer(1, 4);
    }
    sizes[equation.charAt(equation.startsWith(".") ? 3 : 0)] =
        d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 4);
    Shape batch = Shape.of(d.integer(1, 3), d.integer(1, 3)).slice(0, d.integer(0, 2));
    OpCall call = new OpCall();
    for (String operand : operands) {
      Shape shape = Shape.scalar();
      for (char label : operand.replace("...", ".").toCharArray()) {
        Shape own = operands.length == 1 ? batch : Pairs.narrower(d, batch);
        shape = shape.concatenate(label == '.' ? own : Shape.of(sizes[label]));
      }
      call.input(d.tensor(shape));
    }
    return call.attr("equation", equation);
  }

  private static long[] sizes(Draw d) {
    long[] sizes = {d.integer(1, 6), d.integer(1, 6), d.integer(1, 6)};
    if (d.size() == Draw.Size.EMPTY) {
      sizes[d.integer(0, 2)] = 0;
    }
    return sizes;
  }

  private static Shape matrix(Shape batch, long rows, long columns, boolean transposed) {
    return batch.concatenate(transposed ? Shape.of(columns, rows) : Shape.of(rows, columns));
  }
}
