package dev.tributary.internal.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.optable.Draw;
import dev.tributary.optable.GifDraws;
import dev.tributary.optable.ImageDraws;
import dev.tributary.tensor.DataType;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Whatever is done to an image file: it is decoded, or refused with INVALID_ARGUMENT. */
class DamagedImagesTest {
  private static final int FILES = 20;
  private static final int CHANGES = 60;

  @Test
  void decode_damagedGif_isRefusedOrDecoded() {
    for (int seed = 1; seed <= FILES; seed++) {
      Draw draw = new Draw(seed, DataType.UINT8, Draw.Size.ORDINARY);
      check(seed, GifDraws.gif(draw, true), content -> GifImages.decode(content, true));
    }
  }

  @Test
  void decode_damagedBmp_isRefusedOrDecoded() {
    for (int seed = 1; seed <= FILES; seed++) {
      byte[] file = ImageDraws.bmp(3, seed % 2 == 0 ? 4 : -4, 3, new byte[48]);
      check(seed, file, content -> BmpImages.decode(content, 0));
    }
  }

  @Test
  void shape_damagedJpeg_isRefusedOrRead() {
    for (int seed = 1; seed <= FILES; seed++) {
      check(seed, ImageDraws.jpeg(new Random(seed), seed % 2 == 0), JpegImages::shape);
    }
  }

  @Test
  void decode_everyPrefixOfGif_isRefusedUpToTheTrailer() {
    byte[] file = GifDraws.gif(new Draw(2, DataType.UINT8, Draw.Size.ORDINARY), false);
    for (int length = 0; length < file.length - 1; length++) {
      byte[] prefix = Arrays.copyOf(file, length);
      assertThat(refusal(prefix, content -> GifImages.decode(content, true)))
          .as("the first %d of %d bytes", length, file.length)
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }
    assertThat(GifImages.decode(Arrays.copyOf(file, file.length - 1), true).pixels().samples())
        .isEqualTo(GifImages.decode(file, true).pixels().samples());
  }

  private static void check(int seed, byte[] file, Consumer<byte[]> decoder) {
    Random random = new Random(seed);
    for (int i = 0; i < CHANGES; i++) {
      byte[] damaged = Arrays.copyOf(file, file.length - random.nextInt(2) * random.nextInt(9));
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      assertThat(refusal(damaged, decoder))
          .as("seed %d, change %d", seed, i)
          .isIn(ErrorCode.OK, ErrorCode.INVALID_ARGUMENT);
    }
  }

  private static ErrorCode refusal(byte[] content, Consumer<byte[]> decoder) {
    try {
      decoder.accept(content);
      return ErrorCode.OK;
    } catch (TributaryException e) {
      return e.code();
    }
  }
}
