package dev.tributary.internal.kernel.image;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.RowMove;
import dev.tributary.internal.kernel.loop.CastLoop;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The kernels of ImageProjectiveTransformV2 and V3. Inputs: images, for each of them or for all the
 * eight numbers that map a pixel of the result to a place in the image, the size of the result, and
 * in V3 the value of pixels from outside.
 */
public final class ProjectiveTransform {
  private static final int NUMBERS = 8;

  /** About how many pixels are worth a thread. */
  private static final long GRAIN = 1 << 12;

  private final boolean nearest;
  private final FillMode mode;

  private ProjectiveTransform(KernelNode node) {
    String interpolation = node.attributes().string("interpolation");
    this.nearest = interpolation.equals("NEAREST");
    if (!nearest && !interpolation.equals("BILINEAR")) {
      throw TributaryException.invalidArgument(
          "interpolation must be NEAREST or BILINEAR, got '%s'", interpolation);
    }
    this.mode = FillMode.of(node.attributes().string("fill_mode"));
  }

  public static Kernel of(KernelNode node) {
    ResizeKernels.requireNumber(node.attributes().type("dtype"));
    ProjectiveTransform transform = new ProjectiveTransform(node);
    return transform::compute;
  }

  private void compute(KernelContext context) {
    Tensor images = context.input(0);
    Shape from = images.shape();
    if (from.rank() != 4) {
      throw TributaryException.invalidArgument("images must have rank 4, got shape %s", from);
    }
    requireTransforms(context.input(1).shape(), from.size(0));
    long[] size = IndexTensors.vector(context.input(2), "output_shape", 2);
    if (size[0] <= 0 || size[1] <= 0) {
      throw TributaryException.invalidArgument(
          "output dimensions must be positive, got [%d, %d]", size[0], size[1]);
    }
    float outside =
        context.inputCount() > 3 ? ColorKernels.scalar(context.input(3), "fill_value") : 0;
    Tensor output =
        context.allocateOutput(0, Shape.of(from.size(0), size[0], size[1], from.size(3)));
    if (output.elementCount() == 0) {
      return;
    }
    try (Tensor fill = context.allocate(images.type(), Shape.scalar());
        Tensor given = Tensor.scalar(outside)) {
      cast(given, fill);
      Fill.with(fill, output);
      if (nearest) {
        forEachPixel(context, images, output, new RowMove(images, output, from.size(3)));
      } else {
        interpolate(context, images, fill, output);
      }
    }
  }

  /** Copies the pixel nearest to each place. */
  private void forEachPixel(KernelContext context, Tensor images, Tensor output, RowMove pixels) {
    Shape shape = images.shape();
    forEachPlace(
        context,
        shape,
        output.shape(),
        (pixel, image, y, x) -> {
          long row = nearest(y);
          long column = nearest(x);
          if (isInside(row, shape.size(1)) && isInside(column, shape.size(2))) {
            pixels.move((image * shape.size(1) + row) * shape.size(2) + column, pixel);
          }
        });
  }

  /** Halves are rounded away from zero. */
  private static long nearest(float place) {
    return place < 0 ? -Math.round((double) -place) : Math.round((double) place);
  }

  /** Computes in float whatever the type of the images, as TensorFlow does. */
  private void interpolate(KernelContext context, Tensor images, Tensor fill, Tensor output) {
    try (Tensor pixels = FloatPixels.of(context, images);
        Tensor outside = FloatPixels.of(context, fill);
        Tensor result = FloatPixels.of(context, output)) {
      Shape shape = pixels.shape();
      float value = outside.getFloat(0);
      forEachPlace(
          context,
          shape,
          output.shape(),
          (pixel, image, y, x) -> interpolate(pixels, image, y, x, value, pixel, result));
      cast(result, output);
    }
  }

  /** Each of the four neighbours that is outside of the image has the fill value. */
  private static void interpolate(
      Tensor images, long image, float y, float x, float fill, long pixel, Tensor result) {
    float top = (float) Math.floor(y);
    float left = (float) Math.floor(x);
    float down = y - top;
    float up = top + 1 - y;
    float across = x - left;
    float back = left + 1 - x;
    long topLeft = address(images, image, (long) top, (long) left);
    long topRight = address(images, image, (long) top, (long) left + 1);
    long bottomLeft = address(images, image, (long) top + 1, (long) left);
    long bottomRight = address(images, image, (long) top + 1, (long) left + 1);
    long channels = images.shape().size(3);
    long to = result.storage().address() + pixel * channels * Float.BYTES;
    for (long c = 0; c < channels * Float.BYTES; c += Float.BYTES) {
      float above = back * read(topLeft, c, fill) + across * read(topRight, c, fill);
      float below = back * read(bottomLeft, c, fill) + across * read(bottomRight, c, fill);
      Memory.putFloat(to + c, up * above + down * below);
    }
  }

  /** The place of a pixel; -1 if it is outside of the image. */
  private static long address(Tensor images, long image, long y, long x) {
    Shape shape = images.shape();
    if (!isInside(y, shape.size(1)) || !isInside(x, shape.size(2))) {
      return -1;
    }
    long pixel = (image * shape.size(1) + y) * shape.size(2) + x;
    return images.storage().address() + pixel * shape.size(3) * Float.BYTES;
  }

  private static float read(long pixel, long offset, float fill) {
    return pixel < 0 ? fill : Memory.getFloat(pixel + offset);
  }

  /** Takes a pixel of the result; its place may be outside of the image. */
  @FunctionalInterface
  private interface Place {
    void accept(long pixel, long image, float y, float x);
  }

  private void forEachPlace(KernelContext context, Shape from, Shape to, Place action) {
    Tensor transforms = context.input(1);
    long image = to.size(1) * to.size(2);
    context
        .device()
        .backend()
        .parallel()
        .range(
            to.size(0) * image,
            GRAIN,
            (first, end) -> {
              for (long pixel = first; pixel < end; pixel++) {
                long number = pixel / image;
                long row = transforms.shape().size(0) == 1 ? 0 : number;
                long numbers = transforms.storage().address() + row * NUMBERS * Float.BYTES;
                long y = pixel / to.size(2) % to.size(1);
                long x = pixel % to.size(2);
                float depth = dot(numbers, 6, x, y) + 1;
                if (depth != 0) {
                  float sourceX = (dot(numbers, 0, x, y) + number(numbers, 2)) / depth;
                  float sourceY = (dot(numbers, 3, x, y) + number(numbers, 5)) / depth;
                  float placeX = mode.inside(sourceX, from.size(2));
                  float placeY = mode.inside(sourceY, from.size(1));
                  if (Float.isFinite(placeX) && Float.isFinite(placeY)) {
                    action.accept(pixel, number, placeY, placeX);
                  }
                }
              }
            });
  }

  private static boolean isInside(long place, long size) {
    return place >= 0 && place < size;
  }

  private static float dot(long numbers, int first, long x, long y) {
    return number(numbers, first) * x + number(numbers, first + 1) * y;
  }

  private static float number(long numbers, int i) {
    return Memory.getFloat(numbers + (long) i * Float.BYTES);
  }

  private static void cast(Tensor from, Tensor to) {
    CastLoop.run(
        from.type(),
        from.storage().address(),
        to.type(),
        to.storage().address(),
        to.elementCount());
  }

  private static void requireTransforms(Shape transforms, long images) {
    boolean fits =
        transforms.rank() == 2
            && transforms.size(1) == NUMBERS
            && (transforms.size(0) == 1 || transforms.size(0) == images);
    if (!fits) {
      throw TributaryException.invalidArgument(
          "transforms must be [%d, 8] or [1, 8], got shape %s", images, transforms);
    }
  }

  /** The value of pixels outside of the image. */
  private enum FillMode {
    /** The fill value. */
    CONSTANT {
      @Override
      float inside(float place, long size) {
        return place;
      }
    },

    /** The nearest pixel of the image. */
    NEAREST {
      @Override
      float inside(float place, long size) {
        return clipped(place, size);
      }
    },

    /** The image mirrored at its edges: dcba|abcd|dcba. */
    REFLECT {
      @Override
      float inside(float place, long size) {
        float mapped = place;
        long period = 2 * size;
        if (place < 0) {
          mapped = period * (long) (-place / period) + place;
          mapped = mapped < -size ? mapped + period : -mapped - 1;
        } else if (place > size - 1) {
          mapped = place - period * (long) (place / period);
          mapped = mapped >= size ? period - mapped - 1 : mapped;
        }
        return clipped(size <= 1 ? 0 : mapped, size);
      }
    },

    /** The image again and again: abcd|abcd|abcd. */
    WRAP {
      @Override
      float inside(float place, long size) {
        float mapped = place;
        long last = size - 1;
        if (size > 1 && place < 0) {
          mapped = place + size * ((long) (-place / last) + 1);
        } else if (size > 1 && place > last) {
          mapped = place - size * (long) (place / last);
        }
        return clipped(size <= 1 ? 0 : mapped, size);
      }
    };

    static FillMode of(String name) {
      for (FillMode mode : values()) {
        if (mode.name().equals(name)) {
          return mode;
        }
      }
      throw TributaryException.invalidArgument(
          "fill_mode must be CONSTANT, NEAREST, REFLECT or WRAP, got '%s'", name);
    }

    /** The place in the image that stands for a place anywhere. */
    abstract float inside(float place, long size);

    private static float clipped(float place, long size) {
      return Math.min(size - 1, Math.max(0, place));
    }
  }
}
