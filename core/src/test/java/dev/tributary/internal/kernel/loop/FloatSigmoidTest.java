package dev.tributary.internal.kernel.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class FloatSigmoidTest {
  private static final UnaryLoop LOGISTIC = UnaryLoop.of().floats(FloatSigmoid.LOGISTIC);
  private static final UnaryLoop TANH = UnaryLoop.of().floats(FloatSigmoid.TANH);

  @Test
  void run_allMagnitudes_isWithinFourUnitsOfTheExactValue() {
    float[] x = new float[100_003];
    for (int i = 0; i < x.length; i++) {
      double size = Math.pow(10, -30 + 31.9 * i / x.length); // up to 79
      x[i] = (float) (i % 2 == 0 ? size : -size);
    }
    compare(LOGISTIC, v -> 1 / (1 + Math.exp(-v)), x);
    compare(TANH, Math::tanh, x);
    float[] middle = new float[100_003];
    for (int i = 0; i < middle.length; i++) {
      middle[i] = -10 + 20f * i / middle.length;
    }
    compare(LOGISTIC, v -> 1 / (1 + Math.exp(-v)), middle);
    compare(TANH, Math::tanh, middle);
  }

  private static void compare(UnaryLoop loop, DoubleUnaryOperator exact, float... x) {
    float[] y = run(loop, x);
    for (int i = 0; i < x.length; i++) {
      float wanted = (float) exact.applyAsDouble(x[i]);
      assertThat(Math.abs(y[i] - wanted))
          .as("of %s: %s", x[i], y[i])
          .isLessThanOrEqualTo(4 * Math.ulp(wanted));
    }
  }

  @Test
  void run_endsOfTheRange_areLimits() {
    float infinite = Float.POSITIVE_INFINITY;
    float[] ends = {infinite, -infinite, Float.NaN, Float.MAX_VALUE, -Float.MAX_VALUE, 0f};
    assertThat(run(LOGISTIC, ends)).containsExactly(1, 0, Float.NaN, 1, 0, 0.5f);
    assertThat(run(TANH, ends)).containsExactly(1, -1, Float.NaN, 1, -1, 0);
  }

  @Test
  void tanh_negativeZero_staysNegative() {
    float[] zeros = new float[100];
    Arrays.fill(zeros, -0f);
    for (float value : run(TANH, zeros)) {
      assertThat(Float.floatToRawIntBits(value)).isEqualTo(Float.floatToRawIntBits(-0f));
    }
    assertThat(Float.floatToRawIntBits(run(TANH, -0f)[0])).isEqualTo(Float.floatToRawIntBits(-0f));
    assertThat(Float.floatToRawIntBits(run(TANH, 0f)[0])).isZero();
  }

  @Test
  void run_fewAndManyElements_giveTheSameBits() {
    float[] x = new float[1100];
    for (int i = 0; i < x.length; i++) {
      x[i] = i % 97 == 0 ? Float.NaN : (i - 550) * 0.17f;
    }
    for (UnaryLoop loop : new UnaryLoop[] {LOGISTIC, TANH}) {
      float[] together = run(loop, x);
      for (int i = 0; i < x.length; i++) {
        assertThat(Float.floatToIntBits(run(loop, x[i])[0]))
            .as("of %s", x[i])
            .isEqualTo(Float.floatToIntBits(together[i]));
      }
    }
  }

  private static float[] run(UnaryLoop loop, float... x) {
    try (Tensor in = Tensor.of(Shape.of(x.length), x);
        Tensor out = Tensor.zeros(DataType.FLOAT, Shape.of(x.length))) {
      loop.run(DataType.FLOAT, in.storage().address(), out.storage().address(), x.length);
      loop.run(DataType.FLOAT, in.storage().address(), in.storage().address(), x.length);
      assertThat(in.toBytes()).isEqualTo(out.toBytes());
      return out.toFloats();
    }
  }
}
