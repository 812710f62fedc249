package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

final class SparseOpRows {
  private SparseOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("SparseFillEmptyRows")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(2, 2), 2L, 1L, 0L, 3L), Tensor.of("c", "a"))
                        .constant(Tensor.of(3L, 4L))
                        .input(Tensor.scalar("-")),
                Tensor.of(Shape.of(3, 2), 0L, 3L, 1L, 0L, 2L, 1L),
                Tensor.of("a", "-", "c"),
                Tensor.of(false, true, false),
                Tensor.of(2L, 0L))
            .types(ArrayDraws.ALL)
            .draw(
                d -> {
                  Shape shape = matrix(d).concatenate(d.flip() ? Shape.of(2) : Shape.scalar());
                  SparseDraw sparse = SparseDraw.of(d, shape);
                  return (d.flip() ? sparse : sparse.shuffled())
                      .call()
                      .input(d.tensor(Shape.scalar()));
                })
            .shapeDependsOnValues()
            .gradientOf(1, 3)
            .gradientFrom(1),
        OpRow.of("SparseFillEmptyRowsGrad")
            .example(
                () -> OpCall.of(Tensor.of(2L, 0L), Tensor.of(1f, 2f, 3f, 4f)),
                Tensor.of(3f, 1f),
                Tensor.scalar(6f))
            .types(FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16)
            .types(ArrayDraws.COMPLEX)
            .draw(
                d -> {
                  int count = d.integer(1, 8);
                  int mapped = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, count);
                  long[] map = new long[mapped];
                  for (int i = 0; i < mapped; i++) {
                    map[i] = mapped - 1L - i;
                  }
                  return OpCall.of(Tensor.of(map), d.tensor(Shape.of(count)));
                }),
        OpRow.of("SparseReshape")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(2, 2), 0L, 1L, 1L, 2L))
                        .constant(Tensor.of(2L, 3L))
                        .constant(Tensor.of(3L, -1L)),
                Tensor.of(Shape.of(2, 2), 0L, 1L, 2L, 1L),
                Tensor.of(3L, 2L))
            .types(INT64)
            .without(Draw.Size.SCALAR, "indices are a matrix")
            .draw(
                d -> {
                  long rows = d.integer(1, 4);
                  long columns = d.integer(1, 4);
                  SparseDraw sparse = SparseDraw.of(d, Shape.of(rows, columns, 2));
                  long[] wanted =
                      d.oneOf(
                          new long[] {-1},
                          new long[] {rows * columns, 2},
                          new long[] {rows, columns, 2},
                          new long[] {2, -1, rows});
                  return OpCall.of(sparse.indices())
                      .constant(sparse.sizes())
                      .constant(Tensor.of(wanted));
                }),
        OpRow.of("SparseToDense")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(2, 2), 0, 1, 1, 0))
                        .constant(Tensor.of(2, 2))
                        .input(Tensor.of(5f, 6f))
                        .input(Tensor.scalar(-1f)),
                Tensor.of(Shape.of(2, 2), -1f, 5f, 6f, -1f))
            .example(
                () ->
                    OpCall.of(Tensor.of(1L, 0L))
                        .constant(Tensor.of(3L))
                        .input(Tensor.scalar("x"))
                        .input(Tensor.scalar(""))
                        .attr("validate_indices", false),
                Tensor.of("x", "x", ""))
            .types(ArrayDraws.ALL)
            .draw(
                d -> {
                  SparseDraw sparse = SparseDraw.of(d, full(d, 1, 3));
                  DataType type = d.oneOf(INT32, INT64);
                  return OpCall.of(sparse.indices(type))
                      .constant(sparse.sizes(type))
                      .input(d.flip() ? sparse.values() : d.tensor(Shape.scalar()))
                      .input(d.tensor(Shape.scalar()));
                })
            .gradientOf(2, 3));
  }

  /** Sizes of a matrix that has elements. */
  static Shape matrix(Draw d) {
    return Shape.of(d.integer(1, 5), d.integer(1, 4));
  }

  /** A shape with elements, whatever sizes are drawn. */
  static Shape full(Draw d, int lowRank, int highRank) {
    return new Draw(d.integer(0, 99), d.type(), Draw.Size.ORDINARY).shape(lowRank, highRank);
  }
}
