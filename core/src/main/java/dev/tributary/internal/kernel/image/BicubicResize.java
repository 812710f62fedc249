package dev.tributary.internal.kernel.image;

import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** The kernels of ResizeBicubic and its gradient. */
public final class BicubicResize {
  private BicubicResize() {}

  public static Kernel bicubic(KernelNode node) {
    ResizeKernels.requireNumber(node.type());
    Sampling.Alignment alignment = Sampling.Alignment.of(node.attributes());
    return context -> {
      Tensor images = context.input(0);
      Tensor output = context.allocateOutput(0, ResizeKernels.resized(images, context.input(1)));
      if (output.elementCount() > 0) {
        try (Tensor pixels = FloatPixels.of(context, images)) {
          interpolate(context, alignment, pixels, output);
        }
      }
    };
  }

  private static void interpolate(
      KernelContext context, Sampling.Alignment alignment, Tensor images, Tensor output) {
    Shape from = images.shape();
    Shape to = output.shape();
    CubicSampling rows = CubicSampling.of(alignment, from.size(1), to.size(1));
    CubicSampling columns = CubicSampling.of(alignment, from.size(2), to.size(2));
    int channels = ArrayLength.of(to.size(3));
    int width = ArrayLength.of(from.size(2) * channels);
    ResizeKernels.forEachRow(
        context,
        images,
        output,
        (image, y, address) -> {
          float[] row = new float[width];
          for (int tap = 0; tap < CubicSampling.TAPS; tap++) {
            long line = image + (long) rows.pixel(y, tap) * width * Float.BYTES;
            addScaled(row, line, rows.weight(y, tap));
          }
          interpolateRow(columns, channels, row, address);
        });
  }

  /** Adds the floats from an address on, times a weight. */
  static void addScaled(float[] row, long line, float weight) {
    for (int i = 0; i < row.length; i++) {
      row[i] += Memory.getFloat(line + (long) i * Float.BYTES) * weight;
    }
  }

  private static void interpolateRow(
      CubicSampling columns, int channels, float[] row, long output) {
    long to = output;
    for (int x = 0; x < columns.length(); x++) {
      for (int c = 0; c < channels; c++, to += Float.BYTES) {
        float sum = 0;
        for (int tap = 0; tap < CubicSampling.TAPS; tap++) {
          sum += row[columns.pixel(x, tap) * channels + c] * columns.weight(x, tap);
        }
        Memory.putFloat(to, sum);
      }
    }
  }

  /** Inputs: the gradient of the resized images, and the original images. */
  public static Kernel gradient(KernelNode node) {
    RealElements elements = RealElements.of(node.type());
    Sampling.Alignment alignment = Sampling.Alignment.of(node.attributes());
    return context -> {
      Tensor gradient = context.input(0);
      ResizeKernels.requirePositive(
          gradient.shape(), "input_grad", "resized dimensions must be positive");
      Tensor output = ResizeKernels.zeroGradient(context);
      if (gradient.elementCount() > 0) {
        spread(alignment, gradient, elements, output);
      }
    };
  }

  private static void spread(
      Sampling.Alignment alignment, Tensor gradient, RealElements elements, Tensor output) {
    Shape from = gradient.shape();
    Shape to = output.shape();
    CubicSampling rows = CubicSampling.of(alignment, to.size(1), from.size(1));
    CubicSampling columns = CubicSampling.of(alignment, to.size(2), from.size(2));
    long channels = from.size(3);
    long row = to.size(2) * channels * elements.size();
    long in = gradient.storage().address();
    for (long b = 0; b < from.size(0); b++) {
      long image = output.storage().address() + b * to.size(1) * row;
      for (int y = 0; y < rows.length(); y++) {
        for (int x = 0; x < columns.length(); x++, in += channels * Float.BYTES) {
          for (int tap = 0; tap < CubicSampling.TAPS; tap++) {
            long line = image + rows.pixel(y, tap) * row;
            spread(columns, x, channels, in, rows.weight(y, tap), elements, line);
          }
        }
      }
    }
  }

  /** Adds a pixel of the gradient to four pixels of one row. */
  private static void spread(
      CubicSampling columns,
      int x,
      long channels,
      long in,
      float weight,
      RealElements elements,
      long line) {
    for (int tap = 0; tap < CubicSampling.TAPS; tap++) {
      long to = line + columns.pixel(x, tap) * channels * elements.size();
      for (long c = 0; c < channels; c++) {
        double value = elements.round(Memory.getFloat(in + c * Float.BYTES) * (double) weight);
        elements.add(to + c * elements.size(), value * columns.weight(x, tap));
      }
    }
  }
}
