package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.io.ImageDecoder;
import dev.tributary.internal.kernel.io.ImageKernels;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/** Ops that make images of the content of image files, and the other way round. */
abstract sealed class ImageFileOps extends ParseOps permits DecodeOps {
  ImageFileOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>(decoders());
    all.addAll(encoders());
    return all;
  }

  private static List<OpDeclaration> decoders() {
    return List.of(
        decoder(op("DecodePng").input("contents: string").output("image: dtype"))
            .attr("channels: int = 0")
            .attr("dtype: {uint8, uint16} = uint8")
            .shape(ImageFileOps::imageShape)
            .notDifferentiable(),
        decoder(jpeg(op("DecodeJpeg").input("contents: string").output("image: uint8")))
            .shape(ImageFileOps::imageShape)
            .notDifferentiable(),
        decoder(
                jpeg(
                    op("DecodeAndCropJpeg")
                        .input("contents: string")
                        .input("crop_window: int32")
                        .output("image: uint8")))
            .shape(ImageFileOps::croppedShape)
            .notDifferentiable(),
        decoder(op("DecodeGif").input("contents: string").output("image: uint8"))
            .shape(
                c -> {
                  c.withRank(0, 0);
                  c.output(0, Shape.of(Shape.UNKNOWN, Shape.UNKNOWN, Shape.UNKNOWN, 3));
                })
            .notDifferentiable(),
        decoder(op("DecodeBmp").input("contents: string").output("image: uint8"))
            .attr("channels: int = 0")
            .shape(ImageFileOps::imageShape)
            .notDifferentiable(),
        decoder(op("DecodeImage").input("contents: string").output("image: dtype"))
            .attr("channels: int = 0")
            .attr("dtype: {uint8, uint16, float} = uint8")
            .attr("expand_animations: bool = true")
            .shape(
                c -> {
                  c.withRank(0, 0);
                  if (!c.attributes().bool("expand_animations")) {
                    imageShape(c);
                  }
                })
            .notDifferentiable(),
        op("ExtractJpegShape")
            .input("contents: string")
            .output("image_shape: output_type")
            .attr("output_type: {int32, int64} = int32")
            .shape(
                c -> {
                  c.withRank(0, 0);
                  c.output(0, Shape.of(3));
                })
            .kernel(ImageKernels::jpegShape)
            .notDifferentiable());
  }

  private static List<OpDeclaration> encoders() {
    return List.of(
        op("EncodePng")
            .input("image: T")
            .output("contents: string")
            .attr("compression: int = -1")
            .attr("T: {uint8, uint16} = uint8")
            .shape(
                c -> {
                  Shape images = c.withRankAtLeast(0, 3);
                  if (images.hasRank()) {
                    c.output(0, images.slice(0, images.rank() - 3));
                  }
                })
            .kernel(ImageKernels::encodePng)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable(),
        op("EncodeJpeg")
            .input("image: uint8")
            .output("contents: string")
            .attr("format: {'', 'grayscale', 'rgb'} = ''")
            .attr("quality: int = 95")
            .attr("progressive: bool = false")
            .attr("optimize_size: bool = false")
            .attr("chroma_downsampling: bool = true")
            .attr("density_unit: {'in', 'cm'} = 'in'")
            .attr("x_density: int = 300")
            .attr("y_density: int = 300")
            .attr("xmp_metadata: string = ''")
            .shape(ImageFileOps::encodedShape)
            .kernel(ImageKernels::encodeJpeg)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable(),
        op("EncodeJpegVariableQuality")
            .input("images: uint8")
            .input("quality: int32")
            .output("contents: string")
            .shape(ImageFileOps::encodedShape)
            .kernel(ImageKernels::encodeJpegOfQuality)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable());
  }

  /** A PNG image as uint8 [height, width, channels]; 0 channels for those it has. */
  public Output decodePng(Operand contents, int channels) {
    return scope.operation("DecodePng").input(contents).attr("channels", channels).buildOutput();
  }

  /** A JPEG image as uint8 [height, width, channels]; 0 channels for those it has. */
  public Output decodeJpeg(Operand contents, int channels) {
    return scope.operation("DecodeJpeg").input(contents).attr("channels", channels).buildOutput();
  }

  /**
   * A part of a JPEG image.
   *
   * @param window the first row and column, the height and the width
   */
  public Output decodeAndCropJpeg(Operand contents, Operand window, int channels) {
    return scope
        .operation("DecodeAndCropJpeg")
        .input(contents)
        .input(window)
        .attr("channels", channels)
        .buildOutput();
  }

  /** The frames of a GIF image as uint8 [frames, height, width, 3]. */
  public Output decodeGif(Operand contents) {
    return scope.operation("DecodeGif").input(contents).buildOutput();
  }

  /** A BMP image as uint8 [height, width, channels]; 0 channels for those it has. */
  public Output decodeBmp(Operand contents, int channels) {
    return scope.operation("DecodeBmp").input(contents).attr("channels", channels).buildOutput();
  }

  /**
   * An image of any of these formats as [height, width, channels], of an animation the first frame.
   *
   * @param type uint8, uint16, or float for values from 0 to 1
   */
  public Output decodeImage(Operand contents, int channels, DataType type) {
    return scope
        .operation("DecodeImage")
        .input(contents)
        .attr("channels", channels)
        .attr("dtype", type)
        .attr("expand_animations", false)
        .buildOutput();
  }

  /** The height, width and number of channels of a JPEG image, int32. */
  public Output extractJpegShape(Operand contents) {
    return scope.operation("ExtractJpegShape").input(contents).buildOutput();
  }

  /** The bytes of a PNG image, made of uint8 [height, width, channels]. */
  public Output encodePng(Operand image) {
    return scope.operation("EncodePng").input(image).buildOutput();
  }

  /** The bytes of a JPEG image of quality 0 to 100, made of uint8 [height, width, 1 or 3]. */
  public Output encodeJpeg(Operand image, int quality) {
    return scope.operation("EncodeJpeg").input(image).attr("quality", quality).buildOutput();
  }

  /** The same with a quality that is known only when the op runs, an int32 scalar. */
  public Output encodeJpeg(Operand image, Operand quality) {
    return scope.operation("EncodeJpegVariableQuality").input(image).input(quality).buildOutput();
  }

  private static Declaration decoder(Declaration declaration) {
    return declaration.kernel(ImageDecoder::new).flag(OpFlag.EXPENSIVE);
  }

  private static Declaration jpeg(Declaration declaration) {
    return declaration
        .attr("channels: int = 0")
        .attr("ratio: int = 1")
        .attr("fancy_upscaling: bool = true")
        .attr("try_recover_truncated: bool = false")
        .attr("acceptable_fraction: float = 1.0")
        .attr("dct_method: string = ''");
  }

  private static void imageShape(InferenceContext context) {
    context.withRank(0, 0);
    long channels = context.attributes().integer("channels");
    if (channels >= 0) {
      context.output(0, Shape.of(Shape.UNKNOWN, Shape.UNKNOWN, orUnknown(channels)));
    }
  }

  private static void croppedShape(InferenceContext context) {
    context.withRank(0, 0);
    context.withRank(1, 1);
    long channels = context.attributes().integer("channels");
    long[] window = KnownValues.complete(context, 1).filter(w -> w.length == 4).orElse(new long[4]);
    if (channels >= 0) {
      context.output(0, Shape.of(orUnknown(window[2]), orUnknown(window[3]), orUnknown(channels)));
    }
  }

  private static void encodedShape(InferenceContext context) {
    context.withRank(0, 3);
    context.output(0, Shape.scalar());
  }

  private static long orUnknown(long size) {
    return size > 0 ? size : Shape.UNKNOWN;
  }
}
