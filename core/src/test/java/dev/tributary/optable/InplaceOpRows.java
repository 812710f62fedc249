package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;

import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

final class InplaceOpRows {
  private InplaceOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("Empty")
            .example(
                () -> OpCall.of(Tensor.of(2)).attr("dtype", FLOAT).attr("init", true),
                Tensor.of(0f, 0f))
            .types(FLOAT, DOUBLE, INT32, INT64)
            .draw(
                d ->
                    new OpCall()
                        .constant(ArrayDraws.vector(INT32, d.shape(0, 3).toArray()))
                        .attr("dtype", d.type())
                        .attr("init", true)),
        rows("InplaceUpdate").example(InplaceOpRows::example, Tensor.of(5f, 2f, 7f)),
        rows("InplaceAdd").example(InplaceOpRows::example, Tensor.of(6f, 2f, 10f)),
        rows("InplaceSub").example(InplaceOpRows::example, Tensor.of(-4f, 2f, -4f)));
  }

  private static OpCall example() {
    return OpCall.of(Tensor.of(1f, 2f, 3f), Tensor.of(0, -1), Tensor.of(5f, 7f));
  }

  private static OpRow rows(String op) {
    return OpRow.of(op)
        .types(FLOAT, DOUBLE, INT32, INT64)
        .without(Draw.Size.SCALAR, "rows have a dimension")
        .withoutStock("stock changes the tensor that is fed, which is ours")
        .draw(
            d -> {
              Shape x = Shape.of(d.integer(1, 5), d.integer(1, 4));
              int rows = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 4);
              return OpCall.of(
                  d.tensor(x),
                  d.indices(INT32, Shape.of(rows), -5, 5),
                  d.tensor(x.withSize(0, rows)));
            });
  }
}
