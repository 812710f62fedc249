package dev.tributary.optable;

import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.STRING;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

final class SetOpRows {
  private SetOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        row("DenseToDenseSetOperation")
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(Shape.of(2, 2), 3, 1, 5, 5), Tensor.of(Shape.of(2, 1), 1, 4))
                        .attr("set_operation", "a-b"),
                Tensor.of(Shape.of(2, 2), 0L, 0L, 1L, 0L),
                Tensor.of(3, 5),
                Tensor.of(2L, 1L))
            .without(Draw.Size.SCALAR, "a set has a dimension")
            .draw(
                d -> {
                  Shape groups = groups(d);
                  return OpCall.of(dense(d, groups), dense(d, groups))
                      .attr("set_operation", operation(d));
                }),
        row("DenseToSparseSetOperation")
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(Shape.of(2, 2), "b", "a", "c", "c"),
                            Tensor.of(Shape.of(1, 2), 1L, 0L),
                            Tensor.of("a"),
                            Tensor.of(2L, 1L))
                        .attr("set_operation", "union"),
                Tensor.of(Shape.of(4, 2), 0L, 0L, 0L, 1L, 1L, 0L, 1L, 1L),
                Tensor.of("a", "b", "a", "c"),
                Tensor.of(2L, 2L))
            .without(Draw.Size.SCALAR, "a set has a dimension")
            .draw(
                d -> {
                  Shape groups = groups(d);
                  SparseDraw other = sparse(d, groups);
                  return OpCall.of(dense(d, groups), other.indices(), other.values(), other.sizes())
                      .attr("set_operation", operation(d));
                }),
        row("SparseToSparseSetOperation")
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(Shape.of(2, 2), 0L, 0L, 1L, 1L),
                            Tensor.of(7L, 8L),
                            Tensor.of(2L, 2L),
                            Tensor.of(Shape.of(1, 2), 1L, 0L),
                            Tensor.of(8L),
                            Tensor.of(2L, 3L))
                        .attr("set_operation", "intersection"),
                Tensor.of(Shape.of(1, 2), 1L, 0L),
                Tensor.of(8L),
                Tensor.of(2L, 1L))
            .without(Draw.Size.SCALAR, "a set has a dimension")
            .draw(
                d -> {
                  Shape groups = groups(d);
                  SparseDraw a = sparse(d, groups);
                  SparseDraw b = sparse(d, groups);
                  return OpCall.of(
                          a.indices(), a.values(), a.sizes(), b.indices(), b.values(), b.sizes())
                      .attr("set_operation", operation(d));
                }),
        OpRow.of("SetSize")
            .types(INT32, INT64, INT8, INT16, UINT8, STRING)
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(Shape.of(3, 2), 0L, 0L, 0L, 2L, 2L, 0L),
                            Tensor.of("a", "a", "b"))
                        .constant(Tensor.of(3L, 3L)),
                Tensor.of(1, 0, 1))
            .without(Draw.Size.SCALAR, "a set has a dimension")
            .draw(d -> sparse(d, groups(d)).call()));
  }

  private static OpRow row(String op) {
    return OpRow.of(op).types(INT32, INT64, INT8, INT16, UINT8, STRING).shapeDependsOnValues();
  }

  private static Shape groups(Draw d) {
    return SparseOpRows.full(d, 1, 2);
  }

  private static Tensor dense(Draw d, Shape groups) {
    int size = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 5);
    return d.tensor(groups.concatenate(Shape.of(size)));
  }

  private static SparseDraw sparse(Draw d, Shape groups) {
    return SparseDraw.of(d, groups.concatenate(Shape.of(d.integer(1, 5))));
  }

  private static String operation(Draw d) {
    return d.oneOf("a-b", "b-a", "intersection", "union", "UNION");
  }
}
