package dev.tributary.internal.kernel.image;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.RowMove;
import dev.tributary.internal.kernel.array.RowSum;
import dev.tributary.internal.kernel.loop.CastLoop;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** The kernels of ResizeBilinear, ResizeNearestNeighbor and their gradients. */
public final class ResizeKernels {
  /** About how many elements of the result are worth a thread. */
  private static final long GRAIN = 1 << 14;

  /** Computes one row of a resized image. */
  @FunctionalInterface
  interface Row {
    /**
     * @param image the address of the first pixel of the original image
     * @param y the number of the row
     * @param output the address of its first pixel
     */
    void compute(long image, int y, long output);
  }

  private ResizeKernels() {}

  public static Kernel bilinear(KernelNode node) {
    requireNumber(node.type());
    Sampling.Alignment alignment = Sampling.Alignment.of(node.attributes());
    return context -> {
      Tensor images = context.input(0);
      Tensor output = context.allocateOutput(0, resized(images, context.input(1)));
      if (output.elementCount() > 0) {
        try (Tensor pixels = FloatPixels.of(context, images)) {
          interpolate(context, alignment, pixels, output);
        }
      }
    };
  }

  /**
   * Images resized to the height and width in another tensor, as floats, for the caller to close.
   */
  public static Tensor bilinear(
      KernelContext context, Tensor images, Tensor size, boolean alignCorners) {
    Sampling.Alignment alignment = new Sampling.Alignment(alignCorners, false);
    Tensor output = context.allocate(DataType.FLOAT, resized(images, size));
    if (output.elementCount() > 0) {
      try (Tensor pixels = FloatPixels.of(context, images)) {
        interpolate(context, alignment, pixels, output);
      }
    }
    return output;
  }

  private static void interpolate(
      KernelContext context, Sampling.Alignment alignment, Tensor images, Tensor output) {
    Shape from = images.shape();
    Shape to = output.shape();
    Sampling rows = Sampling.bilinear(alignment, from.size(1), to.size(1));
    Sampling columns = Sampling.bilinear(alignment, from.size(2), to.size(2));
    int channels = ArrayLength.of(to.size(3));
    long row = from.size(2) * channels * Float.BYTES;
    forEachRow(
        context,
        images,
        output,
        (image, y, address) ->
            interpolateRow(
                columns,
                channels,
                image + rows.lower(y) * row,
                image + rows.upper(y) * row,
                rows.fraction(y),
                address));
  }

  /** Computes the rows of resized images, several at a time. Both tensors hold floats. */
  static void forEachRow(KernelContext context, Tensor images, Tensor output, Row action) {
    Shape to = output.shape();
    long image = images.shape().slice(1, 4).elementCount() * Float.BYTES;
    long row = to.slice(2, 4).elementCount() * Float.BYTES;
    long height = to.size(1);
    context
        .device()
        .backend()
        .parallel()
        .range(
            to.size(0) * height,
            Math.max(1, GRAIN * Float.BYTES / row),
            (first, end) -> {
              for (long line = first; line < end; line++) {
                action.compute(
                    images.storage().address() + line / height * image,
                    (int) (line % height),
                    output.storage().address() + line * row);
              }
            });
  }

  private static void interpolateRow(
      Sampling columns, int channels, long above, long below, float fraction, long output) {
    long to = output;
    for (int x = 0; x < columns.length(); x++) {
      long left = (long) columns.lower(x) * channels * Float.BYTES;
      long right = (long) columns.upper(x) * channels * Float.BYTES;
      float across = columns.fraction(x);
      for (int c = 0; c < channels; c++) {
        long at = (long) c * Float.BYTES;
        float topLeft = Memory.getFloat(above + left + at);
        float bottomLeft = Memory.getFloat(below + left + at);
        float top = topLeft + (Memory.getFloat(above + right + at) - topLeft) * across;
        float bottom = bottomLeft + (Memory.getFloat(below + right + at) - bottomLeft) * across;
        Memory.putFloat(to, top + (bottom - top) * fraction);
        to += Float.BYTES;
      }
    }
  }

  /** Inputs: the gradient of the resized images, and the original images. */
  public static Kernel bilinearGradient(KernelNode node) {
    requireReal(node.type());
    Sampling.Alignment alignment = Sampling.Alignment.of(node.attributes());
    return context -> {
      Tensor gradient = context.input(0);
      requirePositive(gradient.shape(), "input_grad", "resized dimensions must be positive");
      Tensor output = zeroGradient(context);
      if (gradient.elementCount() > 0) {
        spread(context, alignment, gradient, output);
      }
    };
  }

  /**
   * Sets output 0 to zeros of the original images' size: input 0 is the gradient of the resized
   * images, input 1 the original ones.
   */
  static Tensor zeroGradient(KernelContext context) {
    Shape resized = requireImages(context.input(0).shape(), "input_grad");
    Shape original = context.input(1).shape();
    requirePositive(original, "original_image", "original dimensions must be positive");
    Tensor output =
        context.allocateOutput(
            0, Shape.of(resized.size(0), original.size(1), original.size(2), resized.size(3)));
    Fill.zeros(output);
    return output;
  }

  /** Half and bfloat16 are summed up as floats. */
  private static void spread(
      KernelContext context, Sampling.Alignment alignment, Tensor gradient, Tensor output) {
    if (output.type().size() > Short.BYTES) {
      spread(alignment, gradient, RealElements.of(output.type()), output);
      return;
    }
    try (Tensor sum = context.allocate(DataType.FLOAT, output.shape())) {
      Fill.zeros(sum);
      spread(alignment, gradient, RealElements.FLOAT, sum);
      CastLoop.run(
          DataType.FLOAT,
          sum.storage().address(),
          output.type(),
          output.storage().address(),
          output.elementCount());
    }
  }

  private static void spread(
      Sampling.Alignment alignment, Tensor gradient, RealElements elements, Tensor output) {
    Shape from = gradient.shape();
    Shape to = output.shape();
    Sampling rows = Sampling.bilinear(alignment, to.size(1), from.size(1));
    Sampling columns = Sampling.bilinear(alignment, to.size(2), from.size(2));
    long pixel = from.size(3) * elements.size();
    long row = to.size(2) * pixel;
    long in = gradient.storage().address();
    for (long b = 0; b < from.size(0); b++) {
      long image = output.storage().address() + b * to.size(1) * row;
      for (int y = 0; y < rows.length(); y++) {
        long above = image + rows.lower(y) * row;
        long below = image + rows.upper(y) * row;
        float down = rows.fraction(y);
        for (int x = 0; x < columns.length(); x++) {
          long left = columns.lower(x) * pixel;
          long right = columns.upper(x) * pixel;
          float across = columns.fraction(x);
          for (long at = 0; at < pixel; at += elements.size()) {
            float value = Memory.getFloat(in);
            elements.add(above + left + at, value * (1 - down) * (1 - across));
            elements.add(above + right + at, value * (1 - down) * across);
            elements.add(below + left + at, value * down * (1 - across));
            elements.add(below + right + at, value * down * across);
            in += Float.BYTES;
          }
        }
      }
    }
  }

  public static Kernel nearest(KernelNode node) {
    requireNumber(node.type());
    Sampling.Alignment alignment = Sampling.Alignment.of(node.attributes());
    return context -> {
      Tensor images = context.input(0);
      Tensor output = context.allocateOutput(0, resized(images, context.input(1)));
      if (output.elementCount() > 0) {
        RowMove pixels = new RowMove(images, output, output.shape().size(3));
        forEachPixel(alignment, images.shape(), output.shape(), pixels::move);
      }
    };
  }

  /** Inputs: the gradient of the resized images, and the size of the original ones. */
  public static Kernel nearestGradient(KernelNode node) {
    requireNumber(node.type());
    Sampling.Alignment alignment = Sampling.Alignment.of(node.attributes());
    return context -> {
      Tensor gradient = context.input(0);
      Tensor output = context.allocateOutput(0, resized(gradient, context.input(1)));
      Fill.zeros(output);
      if (gradient.elementCount() > 0) {
        RowSum pixels = new RowSum(output.type(), output.shape().size(3));
        long in = gradient.storage().address();
        long out = output.storage().address();
        forEachPixel(
            alignment,
            output.shape(),
            gradient.shape(),
            (original, resized) -> pixels.add(in, resized, out, original));
      }
    };
  }

  /** The work on a pixel of the original images and one of the resized ones. */
  @FunctionalInterface
  private interface PixelPair {
    void accept(long original, long resized);
  }

  private static void forEachPixel(
      Sampling.Alignment alignment, Shape original, Shape resized, PixelPair action) {
    Sampling rows = Sampling.nearest(alignment, original.size(1), resized.size(1));
    Sampling columns = Sampling.nearest(alignment, original.size(2), resized.size(2));
    long to = 0;
    for (long b = 0; b < resized.size(0); b++) {
      for (int y = 0; y < rows.length(); y++) {
        long row = (b * original.size(1) + rows.lower(y)) * original.size(2);
        for (int x = 0; x < columns.length(); x++) {
          action.accept(row + columns.lower(x), to++);
        }
      }
    }
  }

  /** The shape of images after they are resized. */
  static Shape resized(Tensor images, Tensor size) {
    Shape shape = images.shape();
    requirePositive(shape, "input", "input image must be of non-zero size");
    if (shape.size(3) == 0) {
      throw TributaryException.invalidArgument("image must have at least one channel");
    }
    long[] sizes = IndexTensors.vector(size, "size", 2);
    if (sizes[0] <= 0 || sizes[1] <= 0) {
      throw TributaryException.invalidArgument(
          "output dimensions must be positive, got [%d, %d]", sizes[0], sizes[1]);
    }
    return Shape.of(shape.size(0), sizes[0], sizes[1], shape.size(3));
  }

  private static Shape requireImages(Shape shape, String what) {
    if (shape.rank() != 4) {
      throw TributaryException.invalidArgument("%s must be 4-dimensional, got %s", what, shape);
    }
    return shape;
  }

  static void requirePositive(Shape shape, String what, String problem) {
    requireImages(shape, what);
    boolean positive = shape.size(1) > 0 && shape.size(2) > 0;
    if (!positive || shape.size(1) > Integer.MAX_VALUE || shape.size(2) > Integer.MAX_VALUE) {
      throw TributaryException.invalidArgument("%s, got shape %s", problem, shape);
    }
  }

  private static void requireReal(DataType type) {
    if (!type.isFloating()) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: bfloat16, half, float, double", type.lowerName());
    }
  }

  static void requireNumber(DataType type) {
    if (!CastLoop.supports(type) || type == DataType.BOOL) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: numbers", type.lowerName());
    }
  }
}
