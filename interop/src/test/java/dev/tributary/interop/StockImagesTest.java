package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.internal.image.JpegImages;
import dev.tributary.internal.image.JpegOptions;
import dev.tributary.internal.image.Pixels;
import dev.tributary.internal.image.PngImages;
import dev.tributary.ops.Ops;
import dev.tributary.optable.ImageDraws;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Sessions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.Summary;

/**
 * JPEG images look the same in stock TensorFlow, whose decoder rounds differently; those that we
 * write hold the same pixels as stock's, and images in summaries are the same.
 */
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

  @Test
  void decodeJpeg_smaller_isNearStock() {
    for (int seed = 1; seed <= 4; seed++) {
      byte[] jpeg = ImageDraws.jpeg(new Random(seed), seed % 2 == 0);
      for (int ratio : new int[] {2, 4, 8}) {
        Pixels ours = JpegImages.decode(jpeg, 0, false).shrunk(ratio);
        try (Tensor content = Tensor.ofObjects(DataType.STRING, Shape.scalar(), (Object) jpeg);
            Tensor stock =
                StockTensorFlow.runOp(
                        "DecodeJpeg", Map.of("ratio", Nodes.number(ratio)), List.of(content))
                    .get(0)) {
          assertThat(stock.shape())
              .isEqualTo(Shape.of(ours.height(), ours.width(), ours.channels()));
          requireNear(ours.samples(), stock.toBytes());
        }
      }
    }
  }

  @Test
  void decodeAndCropJpeg_anyWindow_isNearStock() {
    for (int seed = 1; seed <= 8; seed++) {
      Random random = new Random(seed);
      byte[] jpeg = ImageDraws.jpeg(random, seed % 2 == 0);
      int[] window = {random.nextInt(10), random.nextInt(10), 1 + random.nextInt(20), 9};
      Pixels ours =
          JpegImages.decode(jpeg, 0, false).cropped(window[0], window[1], window[2], window[3]);
      try (Tensor content = file(jpeg);
          Tensor crop = Tensor.of(window);
          Tensor stock =
              StockTensorFlow.runOp("DecodeAndCropJpeg", Map.of(), List.of(content, crop)).get(0)) {
        assertThat(stock.shape()).isEqualTo(Shape.of(ours.height(), ours.width(), ours.channels()));
        requireNear(ours.samples(), stock.toBytes());
      }
    }
  }

  /** Both encoders round in the same way, so their files hold the same image. */
  @Test
  void encodeJpeg_allOptions_holdsTheImageOfStock() {
    for (int seed = 1; seed <= 32; seed++) {
      Random random = new Random(seed);
      int quality = random.nextInt(101);
      boolean progressive = random.nextBoolean();
      boolean optimized = random.nextBoolean();
      boolean downsampled = random.nextBoolean();
      JpegOptions options =
          new JpegOptions(
              quality,
              progressive,
              optimized,
              downsampled,
              new JpegOptions.Density(2, 300, 1000),
              "<x/>");
      Pixels pixels = JpegImages.decode(ImageDraws.jpeg(random, seed % 2 == 0), 0, false);
      byte[] ours = JpegImages.encode(pixels, options);
      byte[] stock =
          stockJpeg(
              pixels,
              Map.of(
                  "quality", Nodes.number(quality),
                  "progressive", Nodes.flag(progressive),
                  "optimize_size", Nodes.flag(optimized),
                  "chroma_downsampling", Nodes.flag(downsampled),
                  "density_unit", Nodes.text("cm"),
                  "y_density", Nodes.number(1000),
                  "xmp_metadata", Nodes.text("<x/>")));
      assertThat(stockPixels(ours)).as("seed %d, %s", seed, options).isEqualTo(stockPixels(stock));
      assertThat(withoutVersion(ours)).as("seed %d", seed).isEqualTo(withoutVersion(stock));
    }
  }

  /** The markers in front of the tables, but for the version of JFIF. */
  private static byte[] withoutVersion(byte[] jpeg) {
    byte[] header = Arrays.copyOf(jpeg, 50);
    header[11] = 0;
    header[12] = 0;
    return header;
  }

  private static byte[] stockJpeg(Pixels pixels, Map<String, AttrValue> attributes) {
    Shape shape = Shape.of(pixels.height(), pixels.width(), pixels.channels());
    try (Tensor image = Tensor.of(DataType.UINT8, shape, pixels.samples());
        Tensor file = StockTensorFlow.runOp("EncodeJpeg", attributes, List.of(image)).get(0)) {
      return (byte[]) file.objects()[0];
    }
  }

  private static byte[] stockPixels(byte[] jpeg) {
    try (Tensor content = file(jpeg);
        Tensor image = StockTensorFlow.runOp("DecodeJpeg", Map.of(), List.of(content)).get(0)) {
      return image.toBytes();
    }
  }

  private static Tensor file(byte[] content) {
    return Tensor.ofObjects(DataType.STRING, Shape.scalar(), (Object) content);
  }

  @Test
  void imageSummary_allTypes_hasTheTagsAndPixelsOfStock() throws Exception {
    for (DataType type : List.of(DataType.FLOAT, DataType.DOUBLE, DataType.HALF, DataType.UINT8)) {
      for (int seed = 1; seed <= 20; seed++) {
        int maxImages = 1 + seed % 3;
        try (Tensor tag = Tensor.scalar("digit");
            Tensor images = images(type, new Random(seed));
            Tensor stock =
                StockTensorFlow.runOp(
                        "ImageSummary",
                        Map.of("max_images", Nodes.number(maxImages), "T", Nodes.type(type)),
                        List.of(tag, images))
                    .get(0)) {
          assertThat(decoded(ours(images, maxImages)))
              .as("%s, seed %d", type, seed)
              .isEqualTo(decoded((byte[]) stock.objects()[0]));
        }
      }
    }
  }

  /** Up to four images, some with negative numbers, some with such as are not finite. */
  private static Tensor images(DataType type, Random random) {
    int channels = List.of(1, 3, 4).get(random.nextInt(3));
    Shape shape =
        Shape.of(1 + random.nextInt(4), 1 + random.nextInt(6), 1 + random.nextInt(6), channels);
    Ops tf = Ops.create();
    float[] values = new float[(int) shape.elementCount()];
    double least = random.nextBoolean() && type != DataType.UINT8 ? -3 : 0;
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (least + 200 * random.nextDouble());
      if (type.isFloating() && random.nextInt(20) == 0) {
        values[i] = List.of(Float.NaN, Float.POSITIVE_INFINITY).get(random.nextInt(2));
      }
    }
    try (Graph graph = tf.graph()) {
      return fetch(graph, tf.cast(tf.constant(shape, values), type));
    }
  }

  private static byte[] ours(Tensor images, int maxImages) {
    Ops tf = Ops.create();
    try (Graph graph = tf.graph();
        Tensor summary = fetch(graph, tf.summary.image("digit", tf.constant(images), maxImages))) {
      return (byte[]) summary.objects()[0];
    }
  }

  private static Tensor fetch(Graph graph, Output output) {
    try (Session session = Sessions.local(graph);
        StepResult result = session.runner().fetch(output).run()) {
      return result.get(0).retain();
    }
  }

  private static List<String> decoded(byte[] summary) throws Exception {
    List<String> images = new ArrayList<>();
    for (Summary.Value value : Summary.parseFrom(summary).getValueList()) {
      Summary.Image image = value.getImage();
      Pixels pixels = PngImages.decode(image.getEncodedImageString().toByteArray(), 0);
      images.add(
          value.getTag()
              + " "
              + List.of(image.getHeight(), image.getWidth(), image.getColorspace())
              + " "
              + Arrays.toString(pixels.samples()));
    }
    return images;
  }

  private static void requireNear(byte[] ours, byte[] stock) {
    for (int i = 0; i < ours.length; i++) {
      assertThat(Math.abs(Byte.toUnsignedInt(ours[i]) - Byte.toUnsignedInt(stock[i])))
          .as("sample %d: %d, stock has %d", i, ours[i] & 0xff, stock[i] & 0xff)
          .isLessThanOrEqualTo(MOST_DIFFERENT);
    }
  }
}
