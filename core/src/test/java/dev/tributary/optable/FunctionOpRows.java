package dev.tributary.optable;

import static dev.tributary.optable.ArrayDraws.COMPLEX;
import static dev.tributary.tensor.DataType.BFLOAT16;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.HALF;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Functions of one element, and the ops of their gradients. */
final class FunctionOpRows {
  private FunctionOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        anywhere("Neg")
            .example(() -> OpCall.of(Tensor.of(1f, -2f)), Tensor.of(-1f, 2f))
            .types(FLOAT, DOUBLE, INT32, INT64, INT16, INT8, HALF, BFLOAT16)
            .types(COMPLEX)
            .gradientOf(0),
        awayFromKinks("Abs")
            .example(() -> OpCall.of(Tensor.of(1f, -2f)), Tensor.of(1f, 2f))
            .types(FLOAT, DOUBLE, INT32, INT64, INT16, INT8, HALF, BFLOAT16)
            .gradientOf(0),
        awayFromKinks("Sign")
            .example(() -> OpCall.of(Tensor.of(1.5f, -2f, 0f)), Tensor.of(1f, -1f, 0f))
            .types(FLOAT, DOUBLE, INT32, INT64, INT16, INT8, HALF, BFLOAT16)
            .types(COMPLEX)
            .withoutComplexGradient("it counts as constant, as it does for real numbers")
            .gradientOf(0),
        anywhere("Square")
            .example(() -> OpCall.of(Tensor.of(1f, -2f)), Tensor.of(1f, 4f))
            .types(FLOAT, DOUBLE, INT32, INT64, INT16, INT8, UINT8, HALF, BFLOAT16)
            .types(COMPLEX)
            .gradientOf(0),
        positive("Sqrt")
            .types(COMPLEX)
            .example(() -> OpCall.of(Tensor.of(4f, 0.25f)), Tensor.of(2f, 0.5f))
            .gradientOf(0),
        positive("Rsqrt")
            .types(COMPLEX)
            .example(() -> OpCall.of(Tensor.of(4f, 0.25f)), Tensor.of(0.5f, 2f))
            .gradientOf(0),
        positive("Reciprocal")
            .types(COMPLEX)
            .example(() -> OpCall.of(Tensor.of(4f, -0.5f)), Tensor.of(0.25f, -2f))
            .gradientOf(0),
        positive("Inv")
            .types(COMPLEX)
            .example(() -> OpCall.of(Tensor.of(4f, -0.5f)), Tensor.of(0.25f, -2f))
            .gradientOf(0),
        real("Exp")
            .types(COMPLEX)
            .example(() -> OpCall.of(Tensor.of(0f, 1f)), Tensor.of(1f, 2.7182818f))
            .gradientOf(0),
        real("Expm1")
            .types(COMPLEX)
            .example(() -> OpCall.of(Tensor.of(0f, 1f, 1e-7f)), Tensor.of(0f, 1.7182818f, 1e-7f))
            .gradientOf(0),
        positive("Log")
            .types(COMPLEX)
            .example(() -> OpCall.of(Tensor.of(1f, 2f)), Tensor.of(0f, 0.6931472f))
            .gradientOf(0),
        positive("Log1p")
            .types(COMPLEX)
            .example(() -> OpCall.of(Tensor.of(0f, 1f, 1e-7f)), Tensor.of(0f, 0.6931472f, 1e-7f))
            .gradientOf(0),
        real("Sin")
            .types(COMPLEX)
            .example(() -> OpCall.of(Tensor.of(0f, 1f)), Tensor.of(0f, 0.84147098f))
            .gradientOf(0),
        real("Cos")
            .types(COMPLEX)
            .example(() -> OpCall.of(Tensor.of(0f, 1f)), Tensor.of(1f, 0.54030231f))
            .gradientOf(0),
        OpRow.of("Tan")
            .example(() -> OpCall.of(Tensor.of(0f, 1f)), Tensor.of(0f, 1.5574077f))
            .types(FLOAT, DOUBLE)
            .types(COMPLEX)
            .draw(d -> OpCall.of(d.tensor(d.type(), d.shape(0, 4), -1.2, 1.2)))
            .gradientOf(0),
        real("Tanh")
            .types(COMPLEX)
            .example(
                () -> OpCall.of(Tensor.of(0f, 0.5f, -20f, 1e-6f)),
                Tensor.of(0f, 0.46211716f, -1f, 1e-6f))
            .gradientOf(0),
        real("Sigmoid")
            .types(COMPLEX)
            .example(() -> OpCall.of(Tensor.of(0f, 1f, -200f)), Tensor.of(0.5f, 0.73105858f, 0f))
            .gradientOf(0),
        awayFromKinks("Floor")
            .example(() -> OpCall.of(Tensor.of(1.5f, -1.5f)), Tensor.of(1f, -2f))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16),
        awayFromKinks("Ceil")
            .example(() -> OpCall.of(Tensor.of(1.5f, -1.5f)), Tensor.of(2f, -1f))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16),
        awayFromKinks("Round")
            .example(
                () -> OpCall.of(Tensor.of(0.5f, 1.5f, -2.5f, 2.6f)), Tensor.of(0f, 2f, -2f, 3f))
            // Integers stay what they are; stock makes zeros of small ones, so they are not
            // compared with it.
            .example(() -> OpCall.of(Tensor.of(1, -2, 300)), Tensor.of(1, -2, 300))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16),
        awayFromKinks("Rint")
            .example(
                () -> OpCall.of(Tensor.of(0.5f, 1.5f, -2.5f, 2.6f)), Tensor.of(0f, 2f, -2f, 3f))
            .types(FLOAT, DOUBLE),
        OpRow.of("Erf")
            .example(
                () -> OpCall.of(Tensor.of(0.0, 0.5, -3.0, 7.0)),
                Tensor.of(0.0, 0.5204998778, -0.9999779095, 1.0))
            .types(FLOAT, DOUBLE)
            .draw(d -> OpCall.of(d.tensor(d.type(), d.shape(0, 4), -4, 4)))
            .gradientOf(0),
        gradient("TanhGrad")
            .example(() -> OpCall.of(Tensor.of(0.5f), Tensor.of(2f)), Tensor.of(1.5f)),
        gradient("SigmoidGrad")
            .example(() -> OpCall.of(Tensor.of(0.5f), Tensor.of(2f)), Tensor.of(0.5f)),
        gradient("SqrtGrad")
            .example(() -> OpCall.of(Tensor.of(0.5f), Tensor.of(2f)), Tensor.of(2f)),
        gradient("RsqrtGrad")
            .example(() -> OpCall.of(Tensor.of(0.5f), Tensor.of(2f)), Tensor.of(-0.125f)),
        gradient("ReciprocalGrad")
            .example(() -> OpCall.of(Tensor.of(0.5f), Tensor.of(2f)), Tensor.of(-0.5f)),
        gradient("InvGrad")
            .example(() -> OpCall.of(Tensor.of(0.5f), Tensor.of(2f)), Tensor.of(-0.5f)));
  }

  private static OpRow anywhere(String op) {
    return OpRow.of(op).draw(d -> OpCall.of(d.tensor(d.shape(0, 4))));
  }

  private static OpRow real(String op) {
    return anywhere(op).types(FLOAT, DOUBLE);
  }

  private static OpRow awayFromKinks(String op) {
    return OpRow.of(op).draw(d -> OpCall.of(d.distinct(d.shape(0, 4), 0.3)));
  }

  private static OpRow positive(String op) {
    return OpRow.of(op)
        .types(FLOAT, DOUBLE)
        .draw(d -> OpCall.of(d.tensor(d.type(), d.shape(0, 4), 0.2, 4)));
  }

  private static OpRow gradient(String op) {
    return OpRow.of(op)
        .types(FLOAT, DOUBLE)
        .types(COMPLEX)
        .draw(
            d -> {
              Shape shape = d.shape(0, 4);
              return OpCall.of(d.tensor(d.type(), shape, 0.2, 2), d.tensor(shape));
            })
        .gradientOf(0, 1);
  }
}
