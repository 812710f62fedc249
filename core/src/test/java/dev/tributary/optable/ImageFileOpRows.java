package dev.tributary.optable;

import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;
import static dev.tributary.tensor.DataType.UINT16;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.graph.Output;
import dev.tributary.internal.image.Pixels;
import dev.tributary.internal.image.PngImages;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.util.Arrays;
import java.util.List;

/** Image files. */
final class ImageFileOpRows {
  private static final String ONE_PIXEL = "an image has at least one pixel";

  private ImageFileOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("DecodePng")
            .example(
                () -> OpCall.of(file(PngImages.encode(gradient(), -1))),
                Tensor.of(UINT8, Shape.of(1, 2, 3), gradient().samples()))
            .types(UINT8, UINT16)
            .without(Draw.Size.EMPTY, ONE_PIXEL)
            // Opacity that stock adds to images of less than 8 bits is all but transparent.
            .draw(
                d -> {
                  int channels = d.oneOf(0, 1, 3, 4);
                  return OpCall.of(file(ImageDraws.png(d.random(), channels != 4)))
                      .attr("channels", channels)
                      .attr("dtype", d.type());
                })
            .shapeDependsOnValues(),
        OpRow.of("DecodeJpeg")
            .example(
                () -> OpCall.of(file(ImageDraws.blackJpeg())),
                Tensor.zeros(UINT8, Shape.of(2, 3, 3)))
            .types(UINT8)
            .without(Draw.Size.EMPTY, ONE_PIXEL)
            .draw(
                d ->
                    OpCall.of(file(ImageDraws.jpeg(d.random(), d.flip())))
                        .attr("channels", d.oneOf(0, 1, 3))
                        .attr("ratio", d.oneOf(1, 2, 4, 8)))
            .withoutStock("decoders of JPEG round differently; see StockImagesTest")
            .shapeDependsOnValues(),
        OpRow.of("EncodePng").types(UINT8).script(ImageFileOpRows::encodePng),
        OpRow.of("DecodeAndCropJpeg")
            .example(
                () -> OpCall.of(file(ImageDraws.blackJpeg())).constant(Tensor.of(1, 0, 1, 2)),
                Tensor.zeros(UINT8, Shape.of(1, 2, 3)))
            .types(UINT8)
            .without(Draw.Size.EMPTY, ONE_PIXEL)
            .draw(
                d ->
                    OpCall.of(file(ImageDraws.jpeg(d.random(), d.flip())))
                        .constant(
                            Tensor.of(
                                d.integer(0, 5), d.integer(0, 5), d.integer(1, 9), d.integer(1, 9)))
                        .attr("channels", d.oneOf(0, 1, 3))
                        .attr("ratio", d.oneOf(1, 2)))
            .withoutStock("decoders of JPEG round differently; see StockImagesTest")
            .shapeDependsOnValues(),
        OpRow.of("DecodeGif")
            .example(
                () -> OpCall.of(file(GifDraws.twoFrames())),
                Tensor.of(
                    UINT8, Shape.of(2, 1, 2, 3), new byte[] {1, 2, 3, 4, 5, 6, 1, 2, 3, 7, 8, 9}))
            .types(UINT8)
            .without(Draw.Size.EMPTY, ONE_PIXEL)
            .draw(d -> OpCall.of(file(d.flip() ? GifDraws.gif(d, true) : png(d))))
            .shapeDependsOnValues(),
        OpRow.of("DecodeBmp")
            .example(
                () -> OpCall.of(file(ImageDraws.bmp(1, -1, 3, new byte[] {3, 2, 1, 0}))),
                Tensor.of(UINT8, Shape.of(1, 1, 3), new byte[] {1, 2, 3}))
            .types(UINT8)
            .without(Draw.Size.EMPTY, ONE_PIXEL)
            .draw(
                d ->
                    OpCall.of(file(ImageDraws.bmp(d.random(), true)))
                        .attr("channels", d.oneOf(0, 3, 4)))
            .shapeDependsOnValues(),
        OpRow.of("DecodeImage")
            .example(
                () -> OpCall.of(file(GifDraws.twoFrames())).attr("expand_animations", false),
                Tensor.of(UINT8, Shape.of(1, 2, 3), new byte[] {1, 2, 3, 4, 5, 6}))
            .example(
                () ->
                    OpCall.of(file(ImageDraws.bmp(1, 1, 1, new byte[] {(byte) 255, 0, 0, 0})))
                        .attr("dtype", FLOAT),
                Tensor.of(Shape.of(1, 1, 1), 1f))
            .types(UINT8, UINT16, FLOAT)
            .without(Draw.Size.EMPTY, ONE_PIXEL)
            .draw(ImageFileOpRows::anyImage)
            .shapeDependsOnValues(),
        OpRow.of("ExtractJpegShape")
            .example(() -> OpCall.of(file(ImageDraws.blackJpeg())), Tensor.of(2, 3, 3))
            .types(INT32, INT64)
            .without(Draw.Size.EMPTY, ONE_PIXEL)
            .draw(
                d ->
                    OpCall.of(file(ImageDraws.jpeg(d.random(), d.flip())))
                        .attr("output_type", d.type())),
        OpRow.of("EncodeJpeg")
            .types(UINT8)
            .script(d -> encodeJpeg(d, false))
            .withoutStock("encoders of JPEG write other bytes; see StockImagesTest"),
        OpRow.of("EncodeJpegVariableQuality")
            .types(UINT8)
            .script(d -> encodeJpeg(d, true))
            .withoutStock("encoders of JPEG write other bytes; see StockImagesTest"));
  }

  /**
   * No JPEG images, which decoders round differently, and of BMP images from the top down none but
   * uint8, since stock fails on them.
   */
  private static OpCall anyImage(Draw d) {
    int kind = d.integer(0, 2);
    byte[] content =
        switch (kind) {
          case 0 -> png(d);
          case 1 -> GifDraws.gif(d, true);
          default -> ImageDraws.bmp(d.random(), d.type() == UINT8);
        };
    return OpCall.of(file(content))
        .attr("channels", d.oneOf(0, 3))
        .attr("dtype", d.type())
        .attr("expand_animations", d.flip());
  }

  private static byte[] png(Draw d) {
    return ImageDraws.png(d.random(), true);
  }

  /** An image of one colour stays as it is. */
  private static Script encodeJpeg(Draw d, boolean variable) {
    Ops tf = Ops.create();
    Shape shape = Shape.of(d.integer(1, 20), d.integer(1, 20), d.oneOf(1, 3));
    byte[] samples = new byte[(int) shape.elementCount()];
    Arrays.fill(samples, (byte) 128);
    Output image = Constants.taking(tf, Tensor.of(UINT8, shape, samples));
    Output file = variable ? tf.io.encodeJpeg(image, tf.constant(90)) : tf.io.encodeJpeg(image, 90);
    return Script.on(tf).expect(tf.io.decodeJpeg(file, 0), Tensor.of(UINT8, shape, samples));
  }

  private static Script encodePng(Draw d) {
    Ops tf = Ops.create();
    Pixels pixels = ImageDraws.pixels(d.random(), d.integer(1, 4));
    Shape shape = Shape.of(pixels.height(), pixels.width(), pixels.channels());
    Output image = Constants.taking(tf, Tensor.of(UINT8, shape, pixels.samples()));
    Output decoded = tf.io.decodePng(tf.io.encodePng(image), 0);
    return Script.on(tf).expect(decoded, Tensor.of(UINT8, shape, pixels.samples()));
  }

  private static Pixels gradient() {
    return new Pixels(1, 2, 3, new byte[] {0, 1, 2, 100, (byte) 200, (byte) 255});
  }

  static Tensor file(byte[] content) {
    return Tensor.ofObjects(STRING, Shape.scalar(), (Object) content);
  }
}
