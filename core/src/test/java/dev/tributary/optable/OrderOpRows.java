package dev.tributary.optable;

import static dev.tributary.tensor.DataType.BFLOAT16;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.HALF;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.UINT16;
import static dev.tributary.tensor.DataType.UINT32;
import static dev.tributary.tensor.DataType.UINT64;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Ops that order the elements of rows. */
final class OrderOpRows {
  private OrderOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("NthElement")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(2, 3), 3f, 1f, 2f, 4f, 6f, 5f), Tensor.scalar(1)),
                Tensor.of(2f, 5f))
            .types(FLOAT, DOUBLE, INT32, INT64, INT16, INT8, UINT8, UINT16, UINT32, UINT64)
            .types(HALF, BFLOAT16)
            .without(Draw.Size.EMPTY, "stock refuses rows without elements")
            .draw(
                d -> {
                  Shape shape = ArrayDraws.shape(d, 1, 3);
                  Tensor rows = d.type() == DOUBLE ? d.distinct(shape, 0.1) : d.tensor(shape);
                  return OpCall.of(rows, Tensor.scalar(d.integer(0, (int) shape.size(-1) - 1)))
                      .attr("reverse", d.flip());
                })
            .gradientOf(0),
        OpRow.of("IsotonicRegression")
            .example(
                () -> OpCall.of(Tensor.of(4f, 1f, 3f, 0f)),
                Tensor.of(4f, 2f, 2f, 0f),
                Tensor.of(0, 1, 1, 2))
            .types(FLOAT, DOUBLE, INT32, INT64, INT16, INT8, HALF, BFLOAT16)
            .without(Draw.Size.SCALAR, "a row has a dimension")
            .draw(d -> OpCall.of(d.tensor(d.shape(1, 3))).attr("output_dtype", result(d.type()))),
        OpRow.of("ApproxTopK")
            .example(
                () -> OpCall.of(Tensor.of(3f, 1f, 4f, 2f)).attr("k", 2),
                Tensor.of(4f, 3f),
                Tensor.of(2, 0))
            .types(FLOAT)
            .without(Draw.Size.SCALAR, "a row has a dimension")
            .draw(
                d -> {
                  Shape shape = d.shape(1, 3);
                  // Stock wants to know the shape.
                  return new OpCall()
                      .constant(d.distinct(shape, 0.1))
                      .attr("k", d.integer(0, (int) shape.size(-1)));
                })
            .gradientOf(0));
  }

  private static DataType result(DataType type) {
    if (type.isFloating()) {
      return type;
    }
    return type.size() < Integer.BYTES ? FLOAT : DOUBLE;
  }
}
