package dev.tributary.optable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import org.junit.jupiter.api.Test;

class TensorCompareTest {
  @Test
  void difference_otherTypeOrShape_isTold() {
    assertThat(TensorCompare.difference(Tensor.of(1f), Tensor.of(1), 1))
        .get()
        .asString()
        .contains("type");
    assertThat(TensorCompare.difference(Tensor.of(1f), Tensor.scalar(1f), 1))
        .get()
        .asString()
        .contains("shape");
  }

  @Test
  void difference_floatsWithinTolerance_areEqual() {
    assertThat(TensorCompare.difference(Tensor.of(1000.5f), Tensor.of(1000f), 1e-3)).isEmpty();
    assertThat(TensorCompare.difference(Tensor.of(1002.5f), Tensor.of(1000f), 1e-3)).isPresent();
    assertThat(TensorCompare.difference(Tensor.of(0.0005f), Tensor.of(0f), 1e-3)).isEmpty();
  }

  @Test
  void difference_specialValues_equalOnlyThemselves() {
    float inf = Float.POSITIVE_INFINITY;
    assertThat(TensorCompare.difference(Tensor.of(Float.NaN, inf), Tensor.of(Float.NaN, inf), 1e-3))
        .isEmpty();
    assertThat(TensorCompare.difference(Tensor.of(inf), Tensor.of(-inf), 1e-3)).isPresent();
    assertThat(TensorCompare.difference(Tensor.of(1f), Tensor.of(Float.NaN), 1e-3)).isPresent();
    assertThat(TensorCompare.difference(Tensor.of(Float.NaN), Tensor.of(1f), 1e-3)).isPresent();
    assertThat(TensorCompare.difference(Tensor.of(1f), Tensor.of(inf), 1e-3)).isPresent();
  }

  @Test
  void difference_noTolerance_wantsTheSameBits() {
    assertThat(TensorCompare.difference(Tensor.of(1f), Tensor.of(Math.nextUp(1f)), 0)).isPresent();
    assertThat(TensorCompare.difference(Tensor.of(0f), Tensor.of(-0f), 0)).isPresent();
  }

  @Test
  void difference_exactTypes_allowNone() {
    short one = 0x3c00;
    short next = 0x3c01;
    Shape shape = Shape.of(1);
    assertThat(TensorCompare.difference(Tensor.of(1L << 40), Tensor.of((1L << 40) + 1), 1))
        .isPresent();
    assertThat(TensorCompare.difference(Tensor.of(true), Tensor.of(false), 1)).isPresent();
    assertThat(TensorCompare.difference(Tensor.of("a"), Tensor.of("b"), 1)).isPresent();
    assertThat(TensorCompare.difference(Tensor.of("a"), Tensor.of("a"), 1)).isEmpty();
    assertThat(TensorCompare.difference(half(shape, one), half(shape, next), 1)).isPresent();
  }

  private static Tensor half(Shape shape, short bits) {
    return Tensor.of(DataType.HALF, shape, bits);
  }
}
