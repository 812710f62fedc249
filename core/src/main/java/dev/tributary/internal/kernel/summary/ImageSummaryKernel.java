package dev.tributary.internal.kernel.summary;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.event.SummaryBuilder;
import dev.tributary.internal.image.Pixels;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.CastLoop;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** Puts the first images of a batch into a summary, as PNG. */
public final class ImageSummaryKernel implements Kernel {
  private final int maxImages;
  private final byte[] badColor;

  public ImageSummaryKernel(KernelNode node) {
    this.maxImages = node.attributes().int32("max_images");
    this.badColor = color(node.attributes().tensor("bad_color"));
  }

  /** The colour of pixels that are not finite, a number for each channel. */
  static byte[] color(Tensor color) {
    if (color.type() != DataType.UINT8 || color.rank() != 1) {
      throw TributaryException.invalidArgument(
          "bad_color must be a vector of uint8, got %s of shape %s",
          color.type().lowerName(), color.shape());
    }
    return color.toBytes();
  }

  @Override
  public void compute(KernelContext context) {
    String tag = SummaryKernels.tag(context.input(0));
    SummaryKernels.set(context, summary(context, tag, context.input(1), maxImages, badColor));
  }

  static SummaryBuilder summary(
      KernelContext context, String tag, Tensor images, int maxImages, byte[] badColor) {
    requireImages(images.shape(), badColor);
    int area = Math.toIntExact(images.shape().slice(1, 4).elementCount());
    boolean isScaled = images.type() != DataType.UINT8;
    SummaryBuilder summary = new SummaryBuilder();
    for (int i = 0; i < Math.min(maxImages, images.shape().size(0)); i++) {
      byte[] samples =
          isScaled ? scaled(context, images, i, area, badColor) : bytes(images, i, area);
      String name = tag + (maxImages > 1 ? "/image/" + i : "/image");
      summary.image(
          name,
          new Pixels(
              (int) images.shape().size(1),
              (int) images.shape().size(2),
              (int) images.shape().size(3),
              samples));
    }
    return summary;
  }

  private static void requireImages(Shape shape, byte[] badColor) {
    boolean fits =
        shape.rank() == 4 && (shape.size(3) == 1 || shape.size(3) == 3 || shape.size(3) == 4);
    if (!fits) {
      throw TributaryException.invalidArgument(
          "Tensor must be 4-D with last dim 1, 3, or 4, not %s", shape);
    }
    if (shape.slice(1, 4).elementCount() > Integer.MAX_VALUE) {
      throw TributaryException.invalidArgument("Tensor too large for summary: %s", shape);
    }
    if (shape.size(3) > badColor.length) {
      throw TributaryException.invalidArgument(
          "expected depth <= bad_color.size, got depth = %d, bad_color.size = %d",
          shape.size(3), badColor.length);
    }
  }

  private static byte[] bytes(Tensor images, int index, int area) {
    byte[] samples = new byte[area];
    Memory.copy(images.storage().address() + (long) index * area, samples, 0, area);
    return samples;
  }

  private static byte[] scaled(
      KernelContext context, Tensor images, int index, int area, byte[] badColor) {
    try (Tensor values = context.allocate(DataType.DOUBLE, Shape.of(area))) {
      long from = images.storage().address() + (long) index * area * images.type().size();
      CastLoop.run(images.type(), from, DataType.DOUBLE, values.storage().address(), area);
      return ImageScale.of(
          images.type(), values.toDoubles(), (int) images.shape().size(3), badColor);
    }
  }
}
