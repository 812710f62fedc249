package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.image.JpegImages;
import dev.tributary.image.Pixels;
import dev.tributary.optable.ImageDraws;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** JPEG images look the same in stock TensorFlow, whose decoder rounds differently. */
@RequiresStockTensorFlow
class StockImagesTest {
  private static final int MOST_DIFFERENT = 6;

  @Test
  void decodeJpeg_greyAndColour_isNearStock() {
    for (int seed = 1; seed <= 8; seed++) {
      byte[] jpeg = ImageDraws.jpeg(new Random(seed), seed % 2 == 0);
      for (int channels : new int[] {0, 1, 3}) {
        Pixels ours = JpegImages.decode(jpeg, channels, false);
        try (Tensor content = Tensor.ofObjects(DataType.STRING, Shape.scalar(), (Object) jpeg);
            Tensor stock =
                StockTensorFlow.runOp(
                        "DecodeJpeg", Map.of("channels", Nodes.number(channels)), List.of(content))
                    .get(0)) {
          assertThat(stock.shape())
              .isEqualTo(Shape.of(ours.height(), ours.width(), ours.channels()));
          requireNear(ours.samples(), stock.toBytes());
        }
      }
    }
  }

  private static void requireNear(byte[] ours, byte[] stock) {
    for (int i = 0; i < ours.length; i++) {
      assertThat(Math.abs(Byte.toUnsignedInt(ours[i]) - Byte.toUnsignedInt(stock[i])))
          .as("sample %d: %d, stock has %d", i, ours[i] & 0xff, stock[i] & 0xff)
          .isLessThanOrEqualTo(MOST_DIFFERENT);
    }
  }
}
