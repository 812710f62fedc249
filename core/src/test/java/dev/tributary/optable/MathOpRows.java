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

/** Arithmetic of two operands, sums of many, clipping and casts. */
final class MathOpRows {
  private static final DataType[] NUMBERS = {
    FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16, HALF, BFLOAT16
  };

  private static final DataType[] CASTABLE = {
    DataType.COMPLEX64,
    DataType.COMPLEX128,
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
    DataType.UINT16,
    DataType.UINT32,
    DataType.UINT64
  };

  private MathOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        pair("Add")
            .example(() -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(10f)), Tensor.of(11f, 12f))
            .example(
                () -> OpCall.of(Tensor.of("a", "b"), Tensor.scalar("c")), Tensor.of("ac", "bc"))
            .types(NUMBERS)
            .types(COMPLEX)
            .gradientOf(0, 1),
        pair("AddV2")
            .example(() -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(10f)), Tensor.of(11f, 12f))
            .types(NUMBERS)
            .types(COMPLEX)
            .gradientOf(0, 1),
        OpRow.of("AddN")
            .example(
                () -> OpCall.of(Tensor.of(1, 2), Tensor.of(3, 4), Tensor.of(5, 6)).attr("N", 3),
                Tensor.of(9, 12))
            .types(NUMBERS)
            .types(COMPLEX)
            .draw(MathOpRows::addN)
            .gradientOf(0, 1, 2),
        pair("Sub")
            .example(() -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(10f)), Tensor.of(-9f, -8f))
            .types(NUMBERS)
            .types(COMPLEX)
            .gradientOf(0, 1),
        pair("Mul")
            .example(() -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(10f)), Tensor.of(10f, 20f))
            .types(NUMBERS)
            .types(COMPLEX)
            .gradientOf(0, 1),
        quotient("Div")
            .example(() -> OpCall.of(Tensor.of(-7, 7), Tensor.scalar(2)), Tensor.of(-3, 3))
            .types(NUMBERS)
            .types(COMPLEX)
            .gradientOf(0, 1),
        quotient("RealDiv")
            .example(() -> OpCall.of(Tensor.of(-7f, 7f), Tensor.scalar(2f)), Tensor.of(-3.5f, 3.5f))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16)
            .types(COMPLEX)
            .gradientOf(0, 1),
        quotient("DivNoNan")
            .example(
                () -> OpCall.of(Tensor.of(3f, 3f, 0f), Tensor.of(2f, 0f, 0f)),
                Tensor.of(1.5f, 0f, 0f))
            .types(FLOAT, DOUBLE)
            .types(COMPLEX)
            .gradientOf(0, 1),
        quotient("FloorDiv")
            .example(() -> OpCall.of(Tensor.of(-7, 7), Tensor.scalar(2)), Tensor.of(-4, 3))
            .example(() -> OpCall.of(Tensor.of(-7f, 7f), Tensor.scalar(2f)), Tensor.of(-4f, 3f))
            .types(FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16),
        quotient("TruncateDiv")
            .example(() -> OpCall.of(Tensor.of(-7, 7), Tensor.scalar(2)), Tensor.of(-3, 3))
            .example(() -> OpCall.of(Tensor.of(-7f, 7f), Tensor.scalar(2f)), Tensor.of(-3f, 3f))
            .types(FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16),
        quotient("FloorMod")
            .example(() -> OpCall.of(Tensor.of(-7, 7), Tensor.scalar(3)), Tensor.of(2, 1))
            .example(() -> OpCall.of(Tensor.of(-7f, 7f), Tensor.scalar(-3f)), Tensor.of(-1f, -2f))
            .types(FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16)
            .gradientOf(0, 1),
        quotient("Mod")
            .example(() -> OpCall.of(Tensor.of(-7, 7), Tensor.scalar(3)), Tensor.of(-1, 1))
            .types(FLOAT, DOUBLE, INT32, INT64),
        extremum("Maximum")
            .example(
                () -> OpCall.of(Tensor.of(1f, Float.NaN), Tensor.of(3f, 0f)),
                Tensor.of(3f, Float.NaN)),
        extremum("Minimum")
            .example(
                () -> OpCall.of(Tensor.of(1f, Float.NaN), Tensor.of(3f, 0f)),
                Tensor.of(1f, Float.NaN)),
        OpRow.of("Pow")
            .example(() -> OpCall.of(Tensor.of(2f, 9f), Tensor.of(3f, 0.5f)), Tensor.of(8f, 3f))
            .example(() -> OpCall.of(Tensor.of(-2, 3), Tensor.of(3, 0)), Tensor.of(-8, 1))
            .types(FLOAT, DOUBLE, INT32, INT64, INT16, INT8)
            .types(COMPLEX)
            .draw(MathOpRows::power)
            .gradientOf(0, 1),
        pair("SquaredDifference")
            .example(() -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(4f)), Tensor.of(9f, 4f))
            .types(FLOAT, DOUBLE, INT32, INT64)
            .types(COMPLEX)
            .withoutComplexGradient("the result is real, its weights are complex")
            .gradientOf(0, 1),
        OpRow.of("ClipByValue")
            .example(
                () -> OpCall.of(Tensor.of(-5f, 0.5f, 5f), Tensor.scalar(-1f), Tensor.scalar(1f)),
                Tensor.of(-1f, 0.5f, 1f))
            .types(FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16)
            .draw(MathOpRows::clip)
            .gradientOf(0, 1, 2),
        OpRow.of("Cast")
            .example(
                () -> OpCall.of(Tensor.of(-1.7f, 0f, 2.9f)).attr("DstT", INT32),
                Tensor.of(-1, 0, 2))
            .example(
                () -> OpCall.of(Tensor.of(-1.7f, 0f)).attr("DstT", BOOL), Tensor.of(true, false))
            .example(
                () -> OpCall.of(Tensor.of(true, false)).attr("DstT", DOUBLE), Tensor.of(1.0, 0.0))
            .types(CASTABLE)
            .draw(MathOpRows::cast)
            .withoutGradientCheck(
                "only between real types does any flow; MathOpsTest looks at it"));
  }

  private static OpRow pair(String op) {
    return OpRow.of(op).draw(d -> Pairs.call(d, d::tensor, d::tensor));
  }

  /** Divisors keep away from zero. */
  private static OpRow quotient(String op) {
    return OpRow.of(op)
        .draw(d -> Pairs.call(d, d::tensor, shape -> d.tensor(d.type(), shape, 1, 4)));
  }

  /** Values of one operand lie between those of the other, so that none is near a kink. */
  private static OpRow extremum(String op) {
    return OpRow.of(op)
        .types(NUMBERS)
        .draw(
            d -> Pairs.call(d, shape -> d.distinct(shape, 0.5), shape -> d.distinct(shape, 0.375)))
        .gradientOf(0, 1);
  }

  private static OpCall addN(Draw d) {
    Shape shape = d.shape(0, 4);
    OpCall call = new OpCall().attr("N", 3).attr("T", d.type());
    for (int i = 0; i < 3; i++) {
      call.input(d.tensor(shape));
    }
    return call;
  }

  private static OpCall power(Draw d) {
    if (d.type().isInteger()) {
      return Pairs.call(
          d, shape -> d.tensor(d.type(), shape, -3, 4), shape -> d.tensor(d.type(), shape, 0, 5));
    }
    return Pairs.call(d, shape -> d.tensor(d.type(), shape, 0.5, 3), d::tensor);
  }

  private static OpCall clip(Draw d) {
    Shape shape = d.shape(0, 3);
    boolean scalars = d.flip();
    Shape bound = scalars ? Shape.scalar() : shape;
    return OpCall.of(
        d.tensor(shape), d.tensor(d.type(), bound, -1, -0.5), d.tensor(d.type(), bound, 0.5, 1));
  }

  /** Negative real numbers have no meaning as unsigned ones, so those are left out. */
  private static OpCall cast(Draw d) {
    DataType to = d.oneOf(CASTABLE);
    Tensor x = d.tensor(d.type(), d.shape(0, 3), 0, 100);
    return OpCall.of(x).attr("SrcT", d.type()).attr("DstT", to);
  }
}
