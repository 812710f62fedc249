package dev.tributary.internal.kernel.image;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.CastLoop;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/**
 * The kernels of AdjustContrast and AdjustContrastv2: each channel of an image is drawn out around
 * its mean.
 */
public final class ContrastKernels {
  private ContrastKernels() {}

  /** AdjustContrast: input 1 is the factor, inputs 2 and 3 are the bounds of the result. */
  public static Kernel clipped(KernelNode node) {
    ResizeKernels.requireNumber(node.type());
    return context -> {
      float factor = ColorKernels.scalar(context.input(1), "contrast_factor");
      float low = ColorKernels.scalar(context.input(2), "min_value");
      float high = ColorKernels.scalar(context.input(3), "max_value");
      Tensor images = context.input(0);
      requireImages(images.shape());
      Tensor output = context.allocateOutput(0, images.shape());
      try (Tensor pixels = FloatPixels.of(context, images)) {
        adjust(context, pixels, output, factor, low, high);
      }
    };
  }

  /** AdjustContrastv2: input 1 is the factor. */
  public static Kernel adjust(KernelNode node) {
    RealElements.of(node.type());
    return context -> {
      float factor = ColorKernels.scalar(context.input(1), "contrast_factor");
      Tensor images = context.input(0);
      requireImages(images.shape());
      Tensor output = context.allocateOutput(0, images.shape());
      float low = Float.NEGATIVE_INFINITY;
      float high = Float.POSITIVE_INFINITY;
      if (output.type() == DataType.FLOAT) {
        adjust(context, images, output, factor, low, high);
        return;
      }
      try (Tensor pixels = FloatPixels.of(context, images);
          Tensor adjusted = context.allocate(DataType.FLOAT, images.shape())) {
        adjust(context, pixels, adjusted, factor, low, high);
        CastLoop.run(
            DataType.FLOAT,
            adjusted.storage().address(),
            output.type(),
            output.storage().address(),
            output.elementCount());
      }
    };
  }

  private static void adjust(
      KernelContext context, Tensor images, Tensor output, float factor, float low, float high) {
    Shape shape = images.shape();
    if (images.elementCount() == 0) {
      return;
    }
    int channels = ArrayLength.of(shape.size(-1));
    long size = shape.slice(shape.rank() - 3, shape.rank()).elementCount();
    context
        .device()
        .backend()
        .parallel()
        .range(
            images.elementCount() / size,
            1,
            (first, end) -> {
              double[] means = new double[channels];
              for (long image = first; image < end; image++) {
                long from = images.storage().address() + image * size * Float.BYTES;
                long to = output.storage().address() + image * size * Float.BYTES;
                means(from, size, means);
                for (long i = 0; i < size; i++) {
                  float mean = (float) means[(int) (i % channels)];
                  float value = Memory.getFloat(from + i * Float.BYTES);
                  float adjusted = mean + factor * (value - mean);
                  Memory.putFloat(to + i * Float.BYTES, Math.max(low, Math.min(high, adjusted)));
                }
              }
            });
  }

  private static void means(long image, long size, double[] means) {
    Arrays.fill(means, 0);
    for (long i = 0; i < size; i++) {
      means[(int) (i % means.length)] += Memory.getFloat(image + i * Float.BYTES);
    }
    for (int c = 0; c < means.length; c++) {
      means[c] /= size / means.length;
    }
  }

  private static void requireImages(Shape shape) {
    if (shape.rank() < 3) {
      throw TributaryException.invalidArgument(
          "images must have rank 3 or more, got shape %s", shape);
    }
  }
}
