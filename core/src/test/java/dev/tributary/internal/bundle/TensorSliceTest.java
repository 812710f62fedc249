package dev.tributary.internal.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TensorSliceTest {
  @Test
  void parse_mixedDimensions_givesThemBack() {
    TensorSlice slice = TensorSlice.parse("1,2:-");

    assertThat(slice.shapeIn(Shape.of(4, 3))).isEqualTo(Shape.of(2, 3));
    assertThat(slice.isWhole()).isFalse();
    assertThat(slice).hasToString("1,2:-").isEqualTo(TensorSlice.parse("1,2:-"));
    assertThat(TensorSlice.parse("-:-")).isEqualTo(TensorSlice.whole(2));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "1",
        "1,",
        ",1",
        "1,2,3",
        "0,-1",
        "-1,2",
        "1,0",
        "1,2:",
        "9223372036854775807,2"
      })
  void parse_wrongText_isRefused(String text) {
    assertThatThrownBy(() -> TensorSlice.parse(text)).isInstanceOf(TributaryException.class);
  }

  @Test
  void shapeIn_sliceBeyondTheTensor_isRefused() {
    assertThatThrownBy(() -> TensorSlice.parse("3,2").shapeIn(Shape.of(4)))
        .hasMessageContaining("[4]")
        .hasMessageContaining("3,2");
    assertThatThrownBy(() -> TensorSlice.parse("0,2").shapeIn(Shape.of(4, 1)))
        .isInstanceOf(TributaryException.class);
  }

  @Test
  void shapeAndSlice_text_givesItBack() {
    ShapeAndSlice part = ShapeAndSlice.parse("100 64 0,50:-");

    assertThat(part.shape()).isEqualTo(Shape.of(100, 64));
    assertThat(part.sliceShape()).isEqualTo(Shape.of(50, 64));
    assertThat(part).hasToString("100 64 0,50:-");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "4", "x 0,1", "-4 0,1", "4 0,5", "4 4 0,1", "4  0,1"})
  void shapeAndSlice_wrongText_isRefused(String text) {
    assertThatThrownBy(() -> ShapeAndSlice.parse(text)).isInstanceOf(TributaryException.class);
  }
}
