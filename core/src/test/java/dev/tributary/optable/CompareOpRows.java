package dev.tributary.optable;

import static dev.tributary.optable.ArrayDraws.COMPLEX;
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

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

final class CompareOpRows {
  private static final DataType[] NUMBERS = {
    FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16, HALF, BFLOAT16
  };

  private CompareOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("Equal")
            .example(() -> OpCall.of(Tensor.of(1, 2), Tensor.scalar(2)), Tensor.of(false, true))
            .example(
                () -> OpCall.of(Tensor.of("a", "b"), Tensor.of("b", "b")), Tensor.of(false, true))
            .example(
                () ->
                    OpCall.of(Tensor.of(1, 2), Tensor.of(1, 2, 3))
                        .attr("incompatible_shape_error", false),
                Tensor.scalar(false))
            .types(NUMBERS)
            .types(COMPLEX)
            .types(BOOL)
            .draw(CompareOpRows::coarse),
        OpRow.of("NotEqual")
            .example(() -> OpCall.of(Tensor.of(1, 2), Tensor.scalar(2)), Tensor.of(true, false))
            .example(
                () -> OpCall.of(Tensor.of("a", "b"), Tensor.of("b", "b")), Tensor.of(true, false))
            .example(
                () ->
                    OpCall.of(Tensor.of(1, 2), Tensor.of(1, 2, 3))
                        .attr("incompatible_shape_error", false),
                Tensor.scalar(true))
            .types(NUMBERS)
            .types(COMPLEX)
            .types(BOOL)
            .draw(CompareOpRows::coarse),
        order("Less")
            .example(
                () -> OpCall.of(Tensor.of(1, 2, 3), Tensor.scalar(2)),
                Tensor.of(true, false, false)),
        order("LessEqual")
            .example(
                () -> OpCall.of(Tensor.of(1, 2, 3), Tensor.scalar(2)),
                Tensor.of(true, true, false)),
        order("Greater")
            .example(
                () -> OpCall.of(Tensor.of(1, 2, 3), Tensor.scalar(2)),
                Tensor.of(false, false, true)),
        order("GreaterEqual")
            .example(
                () -> OpCall.of(Tensor.of(1, 2, 3), Tensor.scalar(2)),
                Tensor.of(false, true, true)),
        test("IsNan").example(() -> OpCall.of(unusual()), Tensor.of(false, true, false)),
        test("IsInf").example(() -> OpCall.of(unusual()), Tensor.of(false, false, true)),
        test("IsFinite").example(() -> OpCall.of(unusual()), Tensor.of(true, false, false)),
        logic("LogicalAnd")
            .example(
                () -> OpCall.of(Tensor.of(true, true, false), Tensor.of(true, false, false)),
                Tensor.of(true, false, false)),
        logic("LogicalOr")
            .example(
                () -> OpCall.of(Tensor.of(true, true, false), Tensor.of(true, false, false)),
                Tensor.of(true, true, false)),
        OpRow.of("LogicalNot")
            .example(() -> OpCall.of(Tensor.of(true, false)), Tensor.of(false, true))
            .types(BOOL)
            .draw(d -> OpCall.of(d.tensor(d.shape(0, 3)))),
        OpRow.of("Select")
            .example(
                () -> OpCall.of(Tensor.of(true, false), matrix(1f), matrix(-1f)),
                Tensor.of(Shape.of(2, 2), 1f, 2f, -3f, -4f))
            .example(
                () -> OpCall.of(Tensor.of(false), Tensor.of("a"), Tensor.of("b")), Tensor.of("b"))
            .types(NUMBERS)
            .types(COMPLEX)
            .types(BOOL)
            .draw(CompareOpRows::select)
            .gradientOf(1, 2),
        OpRow.of("SelectV2")
            .example(
                () -> OpCall.of(Tensor.of(true, false), matrix(1f), Tensor.scalar(0f)),
                Tensor.of(Shape.of(2, 2), 1f, 0f, 3f, 0f))
            .example(
                () -> OpCall.of(Tensor.of(false), Tensor.of("a"), Tensor.of("b")), Tensor.of("b"))
            .types(NUMBERS)
            .types(COMPLEX)
            .types(BOOL)
            .draw(CompareOpRows::selectBroadcast)
            .gradientOf(1, 2));
  }

  private static Tensor matrix(float sign) {
    return Tensor.of(Shape.of(2, 2), sign, 2 * sign, 3 * sign, 4 * sign);
  }

  private static Tensor unusual() {
    return Tensor.of(1f, Float.NaN, Float.NEGATIVE_INFINITY);
  }

  /** Few different values, so that many are equal. */
  private static OpCall coarse(Draw d) {
    return d.type().isInteger()
        ? Pairs.call(
            d,
            shape -> d.tensor(d.type(), shape, 0, 0.5),
            shape -> d.tensor(d.type(), shape, 0, 0.5))
        : Pairs.call(d, shape -> d.distinct(shape, 0.5), shape -> d.distinct(shape, 0.5));
  }

  private static OpRow order(String op) {
    return OpRow.of(op).types(NUMBERS).draw(CompareOpRows::coarse);
  }

  private static OpRow test(String op) {
    return OpRow.of(op)
        .types(FLOAT, DOUBLE, HALF, BFLOAT16)
        .draw(d -> OpCall.of(d.tensor(d.shape(0, 3))));
  }

  private static OpRow logic(String op) {
    return OpRow.of(op).types(BOOL).draw(d -> Pairs.call(d, d::tensor, d::tensor));
  }

  private static OpCall select(Draw d) {
    Shape shape = d.shape(1, 3);
    Shape condition = shape.isScalar() ? shape : d.oneOf(shape, Shape.scalar(), shape.slice(0, 1));
    return OpCall.of(d.tensor(BOOL, condition, -1, 1), d.tensor(shape), d.tensor(shape));
  }

  private static OpCall selectBroadcast(Draw d) {
    Shape shape = d.shape(0, 3);
    Tensor condition = d.tensor(BOOL, Pairs.narrower(d, shape), -1, 1);
    return OpCall.of(condition, d.tensor(Pairs.narrower(d, shape)), d.tensor(shape));
  }
}
