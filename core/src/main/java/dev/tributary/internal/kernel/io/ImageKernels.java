package dev.tributary.internal.kernel.io;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.image.JpegImages;
import dev.tributary.internal.image.JpegOptions;
import dev.tributary.internal.image.Pixels;
import dev.tributary.internal.image.PngImages;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.memory.Memory;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** Factories of the kernels that encode images, or look at the header of one. */
public final class ImageKernels {
  private ImageKernels() {}

  /** ExtractJpegShape: the height, width and channels of an image, without decoding it. */
  public static Kernel jpegShape(KernelNode node) {
    return c -> IndexTensors.setVector(c, 0, JpegImages.shape(content(c)));
  }

  /** EncodeJpeg. */
  public static Kernel encodeJpeg(KernelNode node) {
    Attributes attributes = node.attributes();
    JpegOptions.Density density =
        new JpegOptions.Density(
            attributes.string("density_unit").equals("in") ? 1 : 2,
            attributes.int32("x_density"),
            attributes.int32("y_density"));
    JpegOptions options =
        new JpegOptions(
            attributes.int32("quality"),
            attributes.bool("progressive"),
            attributes.bool("optimize_size"),
            attributes.bool("chroma_downsampling"),
            density,
            attributes.string("xmp_metadata"));
    String format = attributes.string("format");
    return c -> encodeJpeg(c, format, options);
  }

  /** EncodeJpegVariableQuality: input 1 is the quality. */
  public static Kernel encodeJpegOfQuality(KernelNode node) {
    return c -> {
      IndexTensors.requireScalar(c.input(1), "quality");
      encodeJpeg(c, "", JpegOptions.ofQuality(c.input(1).getInt(0)));
    };
  }

  private static void encodeJpeg(KernelContext context, String format, JpegOptions options) {
    Tensor image = context.input(0);
    Shape shape = image.shape();
    if (shape.rank() != 3) {
      throw TributaryException.invalidArgument("image must be 3-dimensional, got shape %s", shape);
    }
    long channels = shape.size(2);
    boolean fits =
        switch (format) {
          case "grayscale" -> channels == 1;
          case "rgb" -> channels == 3;
          default -> channels == 1 || channels == 3;
        };
    if (!fits) {
      throw TributaryException.invalidArgument(
          "image must have 1 (grayscale) or 3 (rgb) channels, got shape %s for format '%s'",
          shape, format);
    }
    Pixels pixels = pixels(image, 0);
    context.allocateOutput(0, Shape.scalar()).objects()[0] = JpegImages.encode(pixels, options);
  }

  /** Encodes an image, or each of a batch of them. */
  public static Kernel encodePng(KernelNode node) {
    requireBytes(node.type());
    int compression = node.attributes().int32("compression");
    if (compression < -1 || compression > 9) {
      throw TributaryException.invalidArgument(
          "compression should be in [-1,9], got %d", compression);
    }
    return c -> {
      Tensor images = c.input(0);
      Shape shape = images.shape();
      int rank = shape.rank();
      if (rank < 3) {
        throw TributaryException.invalidArgument("images must be at least rank 3, got %s", shape);
      }
      long channels = shape.size(-1);
      if (channels < 1 || channels > 4) {
        throw TributaryException.invalidArgument(
            "image must have 1, 2, 3, or 4 channels, got %d", channels);
      }
      Tensor output = c.allocateOutput(0, shape.slice(0, rank - 3));
      Object[] encoded = output.objects();
      for (int i = 0; i < encoded.length; i++) {
        encoded[i] = PngImages.encode(pixels(images, i), compression);
      }
    };
  }

  /** Image {@code i} of a tensor whose last three dimensions are those of an image. */
  private static Pixels pixels(Tensor images, long i) {
    Shape shape = images.shape();
    long bytes = shape.slice(shape.rank() - 3, shape.rank()).elementCount();
    byte[] samples = new byte[ArrayLength.of(bytes)];
    Memory.copy(images.storage().address() + i * bytes, samples, 0, samples.length);
    return new Pixels(
        ArrayLength.of(shape.size(-3)),
        ArrayLength.of(shape.size(-2)),
        ArrayLength.of(shape.size(-1)),
        samples);
  }

  /** The file that input 0 holds. */
  static byte[] content(KernelContext context) {
    StringInputs.single(context, 0, "contents");
    return (byte[]) context.input(0).objects()[0];
  }

  private static void requireBytes(DataType type) {
    if (type != DataType.UINT8) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: uint8", type.lowerName());
    }
  }
}
