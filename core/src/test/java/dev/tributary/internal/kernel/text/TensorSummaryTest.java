package dev.tributary.internal.kernel.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** The expected texts are stock TensorFlow's. */
class TensorSummaryTest {
  @Test
  void summary_floats_haveAsFewDigitsAsTellThemApart() {
    assertThat(of(Tensor.of(1.5f, 0.1f, 1e10f, 1.2345678f, 123456789f, -0f, 3.4e38f), 30))
        .isEqualTo("1.5 0.1 1e+10 1.23456776 123456792 -0 3.4e+38");
    assertThat(of(Tensor.of(Float.NaN, Float.NEGATIVE_INFINITY), 3)).isEqualTo("nan -inf");
    assertThat(of(Tensor.of(1.0 / 3, 1e300), 3)).isEqualTo("0.33333333333333331 1e+300");
    assertThat(of(Tensor.of(DataType.HALF, Shape.of(2), (short) 0x3555, (short) 0x7bff), 3))
        .isEqualTo("0.333251953 65504");
  }

  @Test
  void summary_moreElementsThanAskedFor_endsInDots() {
    assertThat(of(Tensor.of(1, 2, 3, 4), 3)).isEqualTo("1 2 3...");
    assertThat(of(Tensor.of(Shape.of(2, 2), 1, 2, 3, 4), 3)).isEqualTo("[1 2][3...]...");
    assertThat(of(Tensor.of(Shape.of(2, 2, 2), 1, 2, 3, 4, 5, 6, 7, 8), 5))
        .isEqualTo("[[1 2][3 4]][[5...]]...");
    assertThat(of(Tensor.of(Shape.of(2, 2), 1, 2, 3, 4), 0)).isEqualTo("...");
    assertThat(of(Tensor.of(Shape.of(2, 2), 1, 2, 3, 4), -1)).isEqualTo("[1 2][3 4]");
  }

  @Test
  void summary_stringsAndBooleans_areEscapedAndNumbered() {
    assertThat(of(Tensor.of("a\n\"\u00e9'", "b\0\\"), 3)).isEqualTo("a\\n\\\"\u00e9\\' b\\000\\\\");
    assertThat(of(Tensor.scalar(true), 3)).isEqualTo("1");
  }

  @Test
  void summary_noElements_isEmpty() {
    assertThat(of(Tensor.of(new float[0]), 3)).isEmpty();
    assertThat(of(Tensor.zeros(DataType.UINT8, Shape.of(0, 2)), 3)).isEmpty();
  }

  private static String of(Tensor tensor, int entries) {
    try (tensor) {
      return TensorSummary.of(tensor, entries);
    }
  }
}
