package dev.tributary.internal.kernel.image;

import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/**
 * The kernel of ResizeArea: a pixel of the result is the mean of the area that it covers in the
 * original image, where pixels count by the share of them that is covered.
 */
public final class AreaResize {
  /**
   * The pixels of one dimension that each pixel of the result covers.
   *
   * @param scale how many pixels each of them covers
   * @param original the number of pixels in the original image
   */
  private record Cover(float scale, long original) {
    static Cover of(Sampling.Alignment alignment, long original, long resized) {
      return new Cover(alignment.scale(original, resized), original);
    }

    long first(long i) {
      return (long) Math.floor(i * scale);
    }

    /** The number behind the last covered pixel. */
    long end(long i) {
      return (long) Math.ceil((i + 1) * scale);
    }

    /** The part of a pixel of the original that pixel {@code i} covers. */
    float share(long pixel, long i) {
      float from = i * scale;
      float to = (i + 1) * scale;
      if (pixel < from) {
        return pixel + 1 > to ? scale : pixel + 1 - from;
      }
      return pixel + 1 > to ? to - pixel : 1;
    }

    /** Rounding may lead beyond the last pixel. */
    long inside(long pixel) {
      return Math.min(original - 1, Math.max(0, pixel));
    }
  }

  private AreaResize() {}

  public static Kernel area(KernelNode node) {
    ResizeKernels.requireNumber(node.type());
    Sampling.Alignment alignment =
        new Sampling.Alignment(node.attributes().bool("align_corners"), false);
    return context -> {
      Tensor images = context.input(0);
      Tensor output = context.allocateOutput(0, ResizeKernels.resized(images, context.input(1)));
      if (output.elementCount() > 0) {
        try (Tensor pixels = FloatPixels.of(context, images)) {
          resize(context, alignment, pixels, output);
        }
      }
    };
  }

  private static void resize(
      KernelContext context, Sampling.Alignment alignment, Tensor images, Tensor output) {
    Shape from = images.shape();
    Shape to = output.shape();
    Cover rows = Cover.of(alignment, from.size(1), to.size(1));
    Cover columns = Cover.of(alignment, from.size(2), to.size(2));
    int channels = ArrayLength.of(to.size(3));
    float scale = (float) (1.0 / (rows.scale() * columns.scale()));
    ResizeKernels.forEachRow(
        context,
        images,
        output,
        (image, y, address) -> {
          float[] sum = new float[channels];
          float[] line = new float[channels];
          for (long x = 0; x < to.size(2); x++) {
            sum(rows, columns, image, y, x, sum, line);
            for (int c = 0; c < channels; c++) {
              Memory.putFloat(address + (x * channels + c) * Float.BYTES, sum[c] * scale);
            }
          }
        });
  }

  /** Sums up the pixels below pixel [y, x] of the result; {@code line} is of no use afterwards. */
  private static void sum(
      Cover rows, Cover columns, long image, long y, long x, float[] sum, float[] line) {
    Arrays.fill(sum, 0);
    long pixel = (long) sum.length * Float.BYTES;
    for (long i = rows.first(y); i < rows.end(y); i++) {
      Arrays.fill(line, 0);
      long row = image + rows.inside(i) * columns.original() * pixel;
      for (long j = columns.first(x); j < columns.end(x); j++) {
        long from = row + columns.inside(j) * pixel;
        float share = columns.share(j, x);
        for (int c = 0; c < sum.length; c++) {
          line[c] += Memory.getFloat(from + (long) c * Float.BYTES) * share;
        }
      }
      float share = rows.share(i, y);
      for (int c = 0; c < sum.length; c++) {
        sum[c] += line[c] * share;
      }
    }
  }
}
