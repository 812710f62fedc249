package dev.tributary.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import org.junit.jupiter.api.Test;

class WindowTest {
  @Test
  void same_oddPadding_putsMoreBehind() {
    Window window = Window.of("SAME", 7, 4, 2, 1);
    assertThat(window.output()).isEqualTo(4);
    assertThat(window.before()).isEqualTo(1);
    assertThat(window.after()).isEqualTo(2);
    assertThat(window.start(1)).isEqualTo(1);
  }

  @Test
  void same_strideBeyondWindow_padsNothing() {
    assertThat(Window.of("SAME", 8, 1, 3, 1)).isEqualTo(new Window(8, 1, 3, 1, 0, 0, 3));
  }

  @Test
  void valid_dilation_widensWindow() {
    assertThat(Window.of("VALID", 11, 3, 2, 4).output()).isEqualTo(2);
  }

  @Test
  void explicit_padding_isCounted() {
    assertThat(Window.of("EXPLICIT", 5, 3, 2, 1, 4, 1).output()).isEqualTo(4);
  }

  @Test
  void valid_slightlyTooLargeWindow_givesNoOutput() {
    assertThat(Window.of("VALID", 3, 5, 3, 1).output()).isZero();
  }

  @Test
  void valid_tooLargeWindow_fails() {
    assertThatThrownBy(() -> Window.of("VALID", 3, 5, 1, 1))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("5 taps")
        .hasMessageContaining("size 3");
  }

  @Test
  void unknownSizes_giveWhatFollows() {
    assertThat(Window.of("VALID", -1, 5, 1, 1).output()).isEqualTo(-1);
    assertThat(Window.of("SAME", -1, 5, 1, 1).output()).isEqualTo(-1);
    assertThat(Window.of("SAME", 9, -1, 2, 1).output()).isEqualTo(5);
    assertThat(Window.of("VALID", 9, -1, 2, 1).output()).isEqualTo(-1);
    assertThat(Window.of("SAME", 9, -1, 2, 1).isKnown()).isFalse();
  }

  @Test
  void badParameters_fail() {
    assertThatThrownBy(() -> Window.of("FULL", 5, 3, 1, 1)).hasMessageContaining("'FULL'");
    assertThatThrownBy(() -> Window.of("SAME", 5, 3, 0, 1)).hasMessageContaining("stride");
    assertThatThrownBy(() -> Window.of("SAME", 5, 0, 1, 1)).hasMessageContaining("window size");
    assertThatThrownBy(() -> Window.of("VALID", 5, 3, 1, 1, 1, 0)).hasMessageContaining("EXPLICIT");
    assertThatThrownBy(() -> Window.of("EXPLICIT", 5, 3, 1, 1, -1, 0))
        .hasMessageContaining("negative");
  }

  @Test
  void convGeometry_badGroups_fail() {
    Window one = Window.of("SAME", 5, 3, 1, 1);
    assertThatThrownBy(() -> new ConvGeometry(ImageFormat.NHWC, 1, 5, 3, 4, one, one))
        .hasMessageContaining("5 and 3");
    assertThatThrownBy(() -> new ConvGeometry(ImageFormat.NHWC, 1, 6, 3, 5, one, one))
        .hasMessageContaining("2 groups");
  }

  @Test
  void convGeometry_equalSizes_areEqualKeys() {
    Window one = Window.of("SAME", 5, 3, 1, 1);
    ConvGeometry geometry = ConvGeometry.depthwise(ImageFormat.NCHW, 2, 3, 4, one, one);
    assertThat(geometry)
        .isEqualTo(
            new ConvGeometry(ImageFormat.NCHW, 2, 3, 1, 12, Window.of("SAME", 5, 3, 1, 1), one))
        .hasSameHashCodeAs(new ConvGeometry(ImageFormat.NCHW, 2, 3, 1, 12, one, one));
  }
}
