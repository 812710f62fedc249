package dev.tributary.optable;

import static dev.tributary.optable.ArrayDraws.COMPLEX;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.UINT16;
import static dev.tributary.tensor.DataType.UINT32;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.tensor.Tensor;
import java.util.List;

/** Angles, special functions, and bits. */
final class SpecialMathOpRows {
  private static final String NOT_CONJUGATED = "stock does not conjugate the derivative";

  private SpecialMathOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        real("Asin", -0.9, 0.9, 0.5f, 0.52359878f).types(COMPLEX),
        real("Acos", -0.9, 0.9, 0.5f, 1.0471976f)
            .types(COMPLEX)
            .withoutStockComplexGradient(
                "stock's native one does not conjugate, its Python one does"),
        real("Atan", -3, 3, 1f, 0.78539816f)
            .types(COMPLEX)
            .withoutStockComplexGradient(
                "stock's native one does not conjugate, its Python one does"),
        real("Sinh", -2, 2, 1f, 1.1752012f).types(COMPLEX),
        real("Cosh", -2, 2, 1f, 1.5430806f).types(COMPLEX),
        real("Asinh", -3, 3, 1f, 0.88137359f).types(COMPLEX),
        real("Acosh", 1.1, 4, 2f, 1.3169579f).types(COMPLEX),
        real("Atanh", -0.9, 0.9, 0.5f, 0.54930614f).types(COMPLEX),
        pair("Atan2", 1, 3)
            .example(() -> OpCall.of(Tensor.of(1f), Tensor.of(-1f)), Tensor.of(2.3561945f))
            .withoutStockGradient("stock's has the shape of the result, not of the input")
            .gradientOf(0, 1),
        real("Lgamma", 0.2, 6, 4f, 1.7917595f),
        real("Digamma", 0.3, 6, 1f, -0.57721566f),
        real("Erfc", -2, 2, 0.5f, 0.47950012f),
        real("Erfinv", -0.9, 0.9, 0.5f, 0.47693628f),
        real("Ndtri", 0.05, 0.95, 0.975f, 1.959964f),
        OpRow.of("Polygamma")
            .example(() -> OpCall.of(Tensor.of(1f), Tensor.of(1f)), Tensor.of(1.644934f))
            .types(FLOAT, DOUBLE)
            .tolerance(1e-4)
            .draw(
                d ->
                    Pairs.call(
                        d,
                        shape -> whole(d, d.tensor(d.type(), shape, 0, 4)),
                        shape -> d.tensor(d.type(), shape, 1, 4)))
            .gradientOf(1),
        OpRow.of("Zeta")
            .example(() -> OpCall.of(Tensor.of(2f), Tensor.of(1f)), Tensor.of(1.644934f))
            .types(FLOAT, DOUBLE)
            .tolerance(1e-4)
            .draw(
                d ->
                    Pairs.call(
                        d,
                        shape -> d.tensor(d.type(), shape, 1.5, 5),
                        shape -> d.tensor(d.type(), shape, 0.5, 4)))
            .gradientOf(1),
        pair("Xlogy", 0.5, 4)
            .types(COMPLEX)
            .withoutComplexGradient(NOT_CONJUGATED)
            .example(() -> OpCall.of(Tensor.of(0f, 2f), Tensor.of(0f, 1f)), Tensor.of(0f, 0f))
            .gradientOf(0, 1),
        pair("Xlog1py", 0.5, 4)
            .types(COMPLEX)
            .withoutComplexGradient(NOT_CONJUGATED)
            .example(() -> OpCall.of(Tensor.of(0f, 2f), Tensor.of(-1f, 0f)), Tensor.of(0f, 0f))
            .gradientOf(0, 1),
        pair("Xdivy", 0.5, 4)
            .types(COMPLEX)
            .withoutComplexGradient(NOT_CONJUGATED)
            .example(() -> OpCall.of(Tensor.of(0f, 2f), Tensor.of(0f, 4f)), Tensor.of(0f, 0.5f))
            .gradientOf(0, 1),
        pair("MulNoNan", 0.5, 4)
            .types(COMPLEX)
            .withoutComplexGradient(NOT_CONJUGATED)
            .example(
                () -> OpCall.of(Tensor.of(Float.NaN, 2f), Tensor.of(0f, 4f)), Tensor.of(0f, 8f))
            .gradientOf(0, 1),
        pair("TruncateMod", 1, 4)
            .example(() -> OpCall.of(Tensor.of(-7f, 7f), Tensor.of(3f)), Tensor.of(-1f, 1f)),
        integers("BitwiseAnd").example(() -> OpCall.of(Tensor.of(6), Tensor.of(3)), Tensor.of(2)),
        integers("BitwiseOr").example(() -> OpCall.of(Tensor.of(6), Tensor.of(3)), Tensor.of(7)),
        integers("BitwiseXor").example(() -> OpCall.of(Tensor.of(6), Tensor.of(3)), Tensor.of(5)),
        OpRow.of("Invert")
            .example(() -> OpCall.of(Tensor.of(0, -1, 5)), Tensor.of(-1, 0, -6))
            .types(INT32, INT64, INT16, INT8, UINT8, UINT16, UINT32)
            .draw(d -> OpCall.of(d.tensor(d.shape(0, 4)))),
        integers("LeftShift")
            .example(() -> OpCall.of(Tensor.of(3, 3), Tensor.of(2, -1)), Tensor.of(12, 3)),
        integers("RightShift")
            .example(() -> OpCall.of(Tensor.of(-8, 8), Tensor.of(1, 40)), Tensor.of(-4, 0)));
  }

  private static OpRow real(String op, double low, double high, float at, float value) {
    return OpRow.of(op)
        .example(() -> OpCall.of(Tensor.of(at)), Tensor.of(value))
        .types(FLOAT, DOUBLE)
        .draw(d -> OpCall.of(d.tensor(d.type(), d.shape(0, 4), low, high)))
        .gradientOf(0);
  }

  /** The second operand is in a range. */
  private static OpRow pair(String op, double low, double high) {
    return OpRow.of(op)
        .types(FLOAT, DOUBLE)
        .draw(d -> Pairs.call(d, d::tensor, shape -> d.tensor(d.type(), shape, low, high)));
  }

  private static OpRow integers(String op) {
    return OpRow.of(op)
        .types(INT32, INT64, INT16, INT8, UINT8, UINT16, UINT32)
        .draw(d -> Pairs.call(d, d::tensor, d::tensor));
  }

  private static Tensor whole(Draw d, Tensor tensor) {
    try (tensor) {
      if (d.type() == FLOAT) {
        float[] values = tensor.toFloats();
        for (int i = 0; i < values.length; i++) {
          values[i] = (float) Math.floor(values[i]);
        }
        return Tensor.of(tensor.shape(), values);
      }
      double[] values = tensor.toDoubles();
      for (int i = 0; i < values.length; i++) {
        values[i] = Math.floor(values[i]);
      }
      return Tensor.of(tensor.shape(), values);
    }
  }
}
