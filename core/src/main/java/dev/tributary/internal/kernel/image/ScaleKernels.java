package dev.tributary.internal.kernel.image;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.memory.Memory;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** The kernels of ScaleAndTranslate and its gradient. */
public final class ScaleKernels {
  private final SamplingFilter filter;
  private final boolean antialias;

  private ScaleKernels(Attributes attributes) {
    this.filter = SamplingFilter.of(attributes.string("kernel_type"));
    this.antialias = attributes.bool("antialias");
  }

  /** Inputs: images, the size of the result, scale and translation as [vertical, horizontal]. */
  public static Kernel scale(KernelNode node) {
    ResizeKernels.requireNumber(node.type());
    ScaleKernels kernels = new ScaleKernels(node.attributes());
    return context -> {
      Tensor images = context.input(0);
      Shape shape = ResizeKernels.resized(images, context.input(1));
      Spans rows = kernels.spans(context, images.shape(), shape, 1);
      Spans columns = kernels.spans(context, images.shape(), shape, 2);
      Tensor output = context.allocateOutput(0, shape);
      if (output.elementCount() > 0) {
        try (Tensor pixels = FloatPixels.of(context, images)) {
          gather(context, rows, columns, pixels, output);
        }
      }
    };
  }

  /** Inputs: the gradient of the result, the original images, scale and translation. */
  public static Kernel gradient(KernelNode node) {
    ScaleKernels kernels = new ScaleKernels(node.attributes());
    return context -> {
      Tensor gradient = context.input(0);
      Tensor output = ResizeKernels.zeroGradient(context);
      Shape original = output.shape();
      Spans rows = kernels.spans(context, original, gradient.shape(), 1);
      Spans columns = kernels.spans(context, original, gradient.shape(), 2);
      if (gradient.elementCount() > 0) {
        gather(
            context,
            rows.transposed(original.size(1)),
            columns.transposed(original.size(2)),
            gradient,
            output);
      }
    };
  }

  private Spans spans(KernelContext context, Shape original, Shape scaled, int dimension) {
    float scale = pair(context.input(2), "scale", dimension - 1);
    float translation = pair(context.input(3), "translation", dimension - 1);
    if (!(scale > 0)) {
      throw TributaryException.invalidArgument(
          "scale must be greater than zero, got scale[%d] = %s", dimension - 1, scale);
    }
    return Spans.of(
        filter, original.size(dimension), scaled.size(dimension), scale, translation, antialias);
  }

  private static float pair(Tensor pair, String what, int i) {
    if (!pair.shape().equals(Shape.of(2))) {
      throw TributaryException.invalidArgument(
          "%s must be a vector of two elements, got shape %s", what, pair.shape());
    }
    return pair.getFloat(i);
  }

  private static void gather(
      KernelContext context, Spans rows, Spans columns, Tensor images, Tensor output) {
    int channels = ArrayLength.of(output.shape().size(3));
    int width = ArrayLength.of(images.shape().size(2) * channels);
    int pixels = (int) output.shape().size(2);
    ResizeKernels.forEachRow(
        context,
        images,
        output,
        (image, y, address) -> {
          float[] row = new float[width];
          float[] weights = rows.weights(y);
          for (int tap = 0; tap < weights.length; tap++) {
            long line = image + (long) (rows.start(y) + tap) * width * Float.BYTES;
            BicubicResize.addScaled(row, line, weights[tap]);
          }
          gatherRow(columns, pixels, channels, row, address);
        });
  }

  private static void gatherRow(Spans columns, int pixels, int channels, float[] row, long output) {
    long to = output;
    for (int x = 0; x < pixels; x++) {
      float[] weights = columns.weights(x);
      int first = weights.length == 0 ? 0 : columns.start(x) * channels;
      for (int c = 0; c < channels; c++, to += Float.BYTES) {
        float sum = 0;
        for (int tap = 0; tap < weights.length; tap++) {
          sum += weights[tap] * row[first + tap * channels + c];
        }
        Memory.putFloat(to, sum);
      }
    }
  }
}
