package dev.tributary.badinput;

import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.STRING;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.error.ErrorCode;
import dev.tributary.optable.ImageDraws;
import dev.tributary.optable.OpCall;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Wrong calls of ops on images and image files. */
final class BadImageCalls {
  private static final Shape PIXEL = Shape.of(1, 1, 1, 3);
  private static final Shape BOX = Shape.of(1, 1, 4);

  private BadImageCalls() {}

  static List<BadCall> all() {
    return List.of(
        invalid(
            "size of zero",
            "ResizeArea",
            () -> OpCall.of(pixel(), Tensor.of(0, 3)),
            "output dimensions must be positive",
            "[0, 3]"),
        invalid(
            "scale of zero",
            "ScaleAndTranslate",
            () -> OpCall.of(pixel(), Tensor.of(1, 1), Tensor.of(1f, 0f), Tensor.of(0f, 0f)),
            "scale[1] = 0.0"),
        invalid(
            "unknown filter",
            "ScaleAndTranslate",
            () ->
                OpCall.of(pixel(), Tensor.of(1, 1), Tensor.of(1f, 1f), Tensor.of(0f, 0f))
                    .attr("kernel_type", "sharp"),
            "sharp"),
        invalid("two channels", "RGBToHSV", () -> OpCall.of(Tensor.of(1f, 2f)), "[2]"),
        invalid(
            "two channels",
            "AdjustHue",
            () -> OpCall.of(Tensor.zeros(FLOAT, Shape.of(1, 1, 2)), Tensor.scalar(0f)),
            "3 channels",
            "[1,1,2]"),
        invalid(
            "no image",
            "AdjustContrastv2",
            () -> OpCall.of(Tensor.of(1f), Tensor.scalar(0f)),
            "rank 3 or more",
            "[1]"),
        invalid(
            "seven numbers",
            "ImageProjectiveTransformV3",
            () ->
                OpCall.of(
                        pixel(),
                        Tensor.zeros(FLOAT, Shape.of(1, 7)),
                        Tensor.of(1, 1),
                        Tensor.scalar(0f))
                    .attr("interpolation", "NEAREST"),
            "[1, 8]",
            "[1,7]"),
        invalid(
            "unknown interpolation",
            "ImageProjectiveTransformV2",
            () ->
                OpCall.of(pixel(), Tensor.zeros(FLOAT, Shape.of(1, 8)), Tensor.of(1, 1))
                    .attr("interpolation", "CUBIC"),
            "NEAREST or BILINEAR",
            "CUBIC"),
        invalid(
            "no limit",
            "CombinedNonMaxSuppression",
            () ->
                OpCall.of(
                    Tensor.zeros(FLOAT, Shape.of(1, 1, 1, 4)),
                    Tensor.zeros(FLOAT, Shape.of(1, 1, 1)),
                    Tensor.scalar(1),
                    Tensor.scalar(0),
                    Tensor.scalar(0.5f),
                    Tensor.scalar(0f)),
            "max_total_size must be positive",
            "0"),
        invalid(
            "overlaps that are not square",
            "NonMaxSuppressionWithOverlaps",
            () ->
                OpCall.of(
                    Tensor.of(Shape.of(1, 2), 1f, 1f),
                    Tensor.of(1f),
                    Tensor.scalar(1),
                    Tensor.scalar(0.5f),
                    Tensor.scalar(0f)),
            "square",
            "[1,2]"),
        invalid(
            "boxes of another batch",
            "DrawBoundingBoxes",
            () -> OpCall.of(pixel(), Tensor.zeros(FLOAT, Shape.of(2, 1, 4))),
            "batch size",
            "[2,1,4]"),
        invalid(
            "box outside",
            "SampleDistortedBoundingBoxV2",
            () ->
                OpCall.of(Tensor.of(4, 4, 3), Tensor.of(BOX, 0f, 0f, 2f, 1f), Tensor.scalar(0.1f)),
            "[0, 1]",
            "2.0 at [0,0,2]"),
        invalid(
            "no boxes",
            "SampleDistortedBoundingBox",
            () -> OpCall.of(Tensor.of(4, 4, 3), Tensor.zeros(FLOAT, Shape.of(1, 0, 4))),
            "use_image_if_no_bounding_boxes"),
        invalid(
            "no image file",
            "DecodeImage",
            () -> OpCall.of(Tensor.scalar("hello")),
            "Unknown image file format",
            "GIF"),
        invalid(
            "BMP image",
            "DecodePng",
            () -> OpCall.of(bmp(1, 1, 4)),
            "DecodePng cannot decode a BMP image"),
        invalid(
            "half a BMP image", "DecodeBmp", () -> OpCall.of(bmp(2, 2, 4)), "70 bytes", "got 58"),
        invalid(
            "huge BMP image",
            "DecodeBmp",
            () -> OpCall.of(bmp(1 << 30, 1 << 30, 4)),
            "at most 536870912 samples"),
        invalid(
            "huge GIF image",
            "DecodeGif",
            () -> OpCall.of(gif("\u00ff\u00ff\u00ff\u00ff")),
            "at most 536870912 samples"),
        invalid(
            "GIF image without data",
            "DecodeGif",
            () -> OpCall.of(gif("\u00ff\u0001\u00ff\u0001")),
            "511 x 511 pixels cannot come from 1 bytes"),
        invalid(
            "window outside",
            "DecodeAndCropJpeg",
            () -> OpCall.of(jpeg(), Tensor.of(0, 0, 31, 1)),
            "does not fit",
            "40 x 30"),
        invalid(
            "half a header",
            "ExtractJpegShape",
            () -> OpCall.of(text("\u00ff\u00d8\u00ff\u00e0\u0000\u0002")),
            "no complete header"),
        invalid(
            "two channels",
            "EncodeJpeg",
            () -> OpCall.of(Tensor.zeros(UINT8, Shape.of(1, 1, 2))),
            "1 (grayscale) or 3 (rgb)",
            "[1,1,2]"),
        invalid(
            "quality above 100",
            "EncodeJpegVariableQuality",
            () -> OpCall.of(Tensor.zeros(UINT8, Shape.of(1, 1, 1)), Tensor.scalar(101)),
            "[0,100]",
            "101"));
  }

  private static Tensor pixel() {
    return Tensor.zeros(FLOAT, PIXEL);
  }

  private static Tensor bmp(int width, int height, int bytes) {
    return file(ImageDraws.bmp(width, height, 4, new byte[bytes]));
  }

  /** A GIF image that says to have this size, and has one byte of pixels. */
  private static Tensor gif(String size) {
    String header = "GIF89a\u0001\u0000\u0001\u0000\u0080\u0000\u0000\u0000\u0000\u0000aaa";
    String image = ",\u0000\u0000\u0000\u0000" + size + "\u0000\u0002\u0001a\u0000;";
    return text(header + image);
  }

  private static Tensor jpeg() {
    return file(ImageDraws.jpeg(new Random(1), false));
  }

  private static Tensor text(String bytes) {
    return file(bytes.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static Tensor file(byte[] content) {
    return Tensor.ofObjects(STRING, Shape.scalar(), (Object) content);
  }

  private static BadCall invalid(String title, String op, Supplier<OpCall> call, String... parts) {
    return new BadCall(title, op, call, ErrorCode.INVALID_ARGUMENT, List.of(parts));
  }
}
