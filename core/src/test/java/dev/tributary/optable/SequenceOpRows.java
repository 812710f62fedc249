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

final class SequenceOpRows {
  private SequenceOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("Range")
            .example(
                () ->
                    new OpCall()
                        .constant(Tensor.scalar(3))
                        .constant(Tensor.scalar(10))
                        .constant(Tensor.scalar(3)),
                Tensor.of(3, 6, 9))
            .example(
                () -> OpCall.of(Tensor.scalar(1f), Tensor.scalar(0f), Tensor.scalar(-0.5f)),
                Tensor.of(1f, 0.5f))
            .types(FLOAT, DOUBLE, INT32, INT64)
            .draw(SequenceOpRows::range)
            .shapeDependsOnValues(),
        OpRow.of("LinSpace")
            .example(
                () -> OpCall.of(Tensor.scalar(1f), Tensor.scalar(2f)).constant(Tensor.scalar(3)),
                Tensor.of(1f, 1.5f, 2f))
            .types(FLOAT, DOUBLE)
            .draw(SequenceOpRows::linSpace)
            .without(Draw.Size.EMPTY, "there must be at least one number"),
        scan("Cumsum")
            .example(
                () -> OpCall.of(Tensor.of(1, 2, 3)).constant(Tensor.scalar(0)), Tensor.of(1, 3, 6)),
        scan("Cumprod")
            .withoutComplexGradient("stock does not conjugate the derivative")
            .example(
                () ->
                    OpCall.of(Tensor.of(2, 3, 4))
                        .constant(Tensor.scalar(0))
                        .attr("exclusive", true)
                        .attr("reverse", true),
                Tensor.of(12, 4, 1)));
  }

  private static OpCall range(Draw d) {
    double start = d.integer(-5, 5);
    double delta = d.type().isInteger() ? d.integer(1, 3) : d.integer(1, 12) / 8.0;
    double distance = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 10);
    boolean down = d.flip();
    return new OpCall()
        .constant(scalar(d.type(), start))
        .constant(scalar(d.type(), down ? start - distance : start + distance))
        .constant(scalar(d.type(), down ? -delta : delta));
  }

  private static OpCall linSpace(Draw d) {
    int count = d.integer(1, 9);
    return OpCall.of(d.tensor(Shape.scalar()), d.tensor(Shape.scalar()))
        .constant(d.flip() ? Tensor.scalar(count) : Tensor.scalar((long) count));
  }

  private static OpRow scan(String op) {
    return OpRow.of(op)
        .types(FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16)
        .types(ArrayDraws.COMPLEX)
        .draw(SequenceOpRows::alongAxis)
        .without(Draw.Size.SCALAR, "there must be an axis")
        .gradientOf(0);
  }

  private static OpCall alongAxis(Draw d) {
    Shape shape = d.shape(1, 4);
    int axis = d.integer(-shape.rank(), shape.rank() - 1);
    return OpCall.of(d.distinct(shape, 0.3))
        .constant(d.flip() ? Tensor.scalar(axis) : Tensor.scalar((long) axis))
        .attr("exclusive", d.flip())
        .attr("reverse", d.flip());
  }

  private static Tensor scalar(DataType type, double value) {
    switch (type) {
      case FLOAT:
        return Tensor.scalar((float) value);
      case DOUBLE:
        return Tensor.scalar(value);
      case INT32:
        return Tensor.scalar((int) value);
      default:
        return Tensor.scalar((long) value);
    }
  }
}
