package dev.tributary.optable;

import static dev.tributary.optable.ArrayDraws.COMPLEX;
import static dev.tributary.tensor.DataType.BOOL;
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
import java.util.stream.IntStream;

final class ReduceOpRows {
  private static final DataType[] NUMBERS = {FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16};

  private ReduceOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        fold("Sum")
            .example(ReduceOpRows::rowsOfMatrix, Tensor.of(3f, 7f))
            .types(NUMBERS)
            .types(COMPLEX)
            .gradientOf(0),
        fold("Mean")
            .example(ReduceOpRows::rowsOfMatrix, Tensor.of(1.5f, 3.5f))
            .types(NUMBERS)
            .types(COMPLEX)
            .gradientOf(0),
        fold("Prod")
            .example(ReduceOpRows::rowsOfMatrix, Tensor.of(2f, 12f))
            .types(NUMBERS)
            .types(COMPLEX)
            .withoutStockComplexGradient(
                "stock's native one does not conjugate, its Python one does")
            .gradientOf(0),
        extremum("Max").example(ReduceOpRows::rowsOfMatrix, Tensor.of(2f, 4f)),
        extremum("Min").example(ReduceOpRows::rowsOfMatrix, Tensor.of(1f, 3f)),
        fold("All")
            .example(
                () -> OpCall.of(Tensor.of(true, false)).constant(Tensor.of(0)),
                Tensor.scalar(false))
            .types(BOOL),
        fold("Any")
            .example(
                () -> OpCall.of(Tensor.of(true, false)).constant(Tensor.of(0)), Tensor.scalar(true))
            .types(BOOL),
        position("ArgMax")
            .example(
                () -> OpCall.of(Tensor.of(3f, 5f, 5f)).constant(Tensor.scalar(0)),
                Tensor.scalar(1L)),
        position("ArgMin")
            .example(
                () -> OpCall.of(Tensor.of(3f, 1f, 1f)).constant(Tensor.scalar(0)),
                Tensor.scalar(1L)));
  }

  private static OpCall rowsOfMatrix() {
    return OpCall.of(Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f)).constant(Tensor.of(1));
  }

  private static OpRow fold(String op) {
    return OpRow.of(op)
        .draw(
            d -> {
              Shape shape = d.shape(0, 4);
              return reduced(d, d.tensor(shape), shape.rank());
            });
  }

  private static OpRow extremum(String op) {
    return OpRow.of(op)
        .types(NUMBERS)
        .draw(
            d -> {
              Shape shape = d.shape(0, 4);
              return reduced(d, d.distinct(shape, 0.3), shape.rank());
            })
        .gradientOf(0);
  }

  /**
   * Some of the axes, by numbers from the start or from the end, or a single one as a scalar. Only
   * with integers they are int64, as stock's native gradients do not take these.
   */
  private static OpCall reduced(Draw d, Tensor x, int rank) {
    int[] axes =
        IntStream.range(0, rank)
            .filter(axis -> d.flip())
            .map(axis -> d.flip() ? axis : axis - rank)
            .toArray();
    boolean scalar = axes.length == 1 && d.flip();
    Tensor indices = scalar ? Tensor.scalar(axes[0]) : Tensor.of(axes);
    if (!ArrayDraws.hasGradient(d) && d.flip()) {
      long[] wide = IntStream.of(axes).asLongStream().toArray();
      indices.close();
      indices = scalar ? Tensor.scalar(wide[0]) : Tensor.of(wide);
    }
    return OpCall.of(x).constant(indices).attr("keep_dims", d.flip());
  }

  private static OpRow position(String op) {
    return OpRow.of(op)
        .types(NUMBERS)
        .types(BOOL)
        .draw(ReduceOpRows::alongAxis)
        .without(Draw.Size.SCALAR, "there must be an axis");
  }

  private static OpCall alongAxis(Draw d) {
    Shape shape = d.shape(2, 4);
    int axis = d.integer(0, shape.rank() - 1);
    while (shape.size(axis) == 0) {
      axis = (axis + 1) % shape.rank();
    }
    Tensor dimension = Tensor.scalar(d.flip() ? axis : axis - shape.rank());
    return OpCall.of(d.tensor(shape))
        .constant(dimension)
        .attr("output_type", d.oneOf(INT32, INT64));
  }
}
