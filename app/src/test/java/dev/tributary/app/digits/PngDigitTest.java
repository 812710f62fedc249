package dev.tributary.app.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.image.Pixels;
import dev.tributary.internal.image.PngImages;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PngDigitTest {
  @TempDir Path folder;

  @Test
  void fit_sizeOfTheNetwork_staysAsItIs() throws Exception {
    byte[] samples = {0, (byte) 51, 0, 0, (byte) 255, 0, 0, 0, 0};

    assertThat(PngDigit.read(png(3, 3, 1, samples), 3, 3))
        .containsExactly(0, 0.2f, 0, 0, 1, 0, 0, 0, 0);
  }

  @Test
  void fit_darkOnLight_isInverted() throws Exception {
    byte[] samples = {-1, -1, -1, -1, 0, -1, -1, -1, -1};

    assertThat(PngDigit.read(png(3, 3, 1, samples), 3, 3))
        .containsExactly(0, 0, 0, 0, 1, 0, 0, 0, 0);
  }

  @Test
  void fit_transparentBackground_isWhite() throws Exception {
    byte[] samples = new byte[9 * 4];
    samples[4 * 4 + 3] = -1; // Black ink.

    assertThat(PngDigit.read(png(3, 3, 4, samples), 3, 3))
        .containsExactly(0, 0, 0, 0, 1, 0, 0, 0, 0);
  }

  @Test
  void fit_largerImage_isCutToTheDigitAndScaled() throws Exception {
    // A vertical bar of 2 x 8 pixels, off the middle of 20 x 30 light pixels.
    byte[] samples = new byte[20 * 30];
    Arrays.fill(samples, (byte) 200);
    for (int y = 5; y < 13; y++) {
      samples[y * 30 + 20] = 20;
      samples[y * 30 + 21] = 20;
    }

    float[] fitted = PngDigit.read(png(20, 30, 1, samples), 4, 4);

    // Each new pixel is the mean of 2 x 2, and the bar lies across the two columns in the middle.
    for (int y = 0; y < 4; y++) {
      assertThat(fitted[4 * y]).isZero();
      assertThat(fitted[4 * y + 1]).isEqualTo(0.5f);
      assertThat(fitted[4 * y + 2]).isEqualTo(0.5f);
      assertThat(fitted[4 * y + 3]).isZero();
    }
  }

  @Test
  void fit_largeNetwork_leavesAMarginOfASeventh() throws Exception {
    byte[] samples = new byte[10 * 10];
    for (int y = 2; y < 7; y++) {
      for (int x = 3; x < 8; x++) {
        samples[y * 10 + x] = -1;
      }
    }

    float[] fitted = PngDigit.read(png(10, 10, 1, samples), 28, 28);

    assertThat(fitted[3 * 28 + 14]).isZero();
    assertThat(fitted[4 * 28 + 14]).isEqualTo(1);
    assertThat(fitted[23 * 28 + 14]).isEqualTo(1);
    assertThat(fitted[24 * 28 + 14]).isZero();
    assertThat(fitted[14 * 28 + 3]).isZero();
    assertThat(fitted[14 * 28 + 4]).isEqualTo(1);
  }

  @Test
  void fit_blankImage_isRefused() throws Exception {
    Path blank = png(9, 9, 1, new byte[81]);

    assertThatThrownBy(() -> PngDigit.read(blank, 8, 8))
        .hasMessageContainingAll("image.png", "there is no digit");
  }

  @Test
  void read_notAPng_namesTheFile() throws Exception {
    Path text = Files.writeString(folder.resolve("a.txt"), "7");

    assertThatThrownBy(() -> PngDigit.read(text, 8, 8))
        .isInstanceOf(TributaryException.class)
        .hasMessageContainingAll("a.txt", "PNG");
    assertThatThrownBy(() -> PngDigit.read(folder.resolve("none.png"), 8, 8))
        .hasMessageContaining("none.png")
        .extracting(e -> ((TributaryException) e).code())
        .isEqualTo(ErrorCode.NOT_FOUND);
  }

  private Path png(int height, int width, int channels, byte[] samples) throws Exception {
    byte[] content = PngImages.encode(new Pixels(height, width, channels, samples), -1);
    return Files.write(folder.resolve("image.png"), content);
  }
}
