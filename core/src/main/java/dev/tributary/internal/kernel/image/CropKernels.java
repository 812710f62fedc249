package dev.tributary.internal.kernel.image;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** The kernels of CropAndResize and its gradients. */
public final class CropKernels {
  private CropKernels() {}

  /** Inputs: images, boxes, the image of each box, and the size of all crops. */
  public static Kernel crop(KernelNode node) {
    boolean nearest = node.attributes().string("method").equals("nearest");
    float outside = node.attributes().real("extrapolation_value");
    return context -> {
      Tensor images = context.input(0);
      Shape from = requireImages(images.shape(), "image");
      long count = Crops.count(context.input(1), context.input(2));
      long[] size = IndexTensors.vector(context.input(3), "crop_size", 2);
      if (size[0] <= 0 || size[1] <= 0) {
        throw TributaryException.invalidArgument(
            "crop dimensions must be positive, got [%d, %d]", size[0], size[1]);
      }
      Crops.requireImages(context.input(2), from.size(0));
      requireFinite(context.input(1));
      Tensor output = context.allocateOutput(0, Shape.of(count, size[0], size[1], from.size(3)));
      if (output.elementCount() > 0) {
        fill(output, outside);
        Crops crops = new Crops(context.input(1), context.input(2), from, output.shape());
        try (Tensor pixels = FloatPixels.of(context, images)) {
          crop(context, crops, nearest, pixels, output);
        }
      }
    };
  }

  private static void crop(
      KernelContext context, Crops crops, boolean nearest, Tensor images, Tensor output) {
    Shape shape = images.shape();
    long channels = shape.size(3);
    context
        .device()
        .backend()
        .parallel()
        .range(
            output.shape().size(0),
            1,
            (first, end) ->
                crops.forEach(
                    first,
                    end,
                    (pixel, image, y, x) -> {
                      long to = output.storage().address() + pixel * channels * Float.BYTES;
                      if (nearest) {
                        long from = address(images, image, Math.round(y), Math.round(x));
                        Memory.copy(from, to, channels * Float.BYTES);
                      } else {
                        new Corners(images, image, y, x).interpolate(channels, to);
                      }
                    }));
  }

  /** Inputs: the gradient of the crops, boxes, the image of each box, and the images' shape. */
  public static Kernel imageGradient(KernelNode node) {
    RealElements elements = RealElements.of(node.type());
    boolean nearest = node.attributes().string("method").equals("nearest");
    return context -> {
      Tensor gradient = context.input(0);
      long[] sizes = IndexTensors.vector(context.input(3), "image_size", 4);
      Shape shape = requireImages(IndexTensors.toShape(context.input(3)), "image");
      Crops crops = crops(gradient, context.input(1), context.input(2), shape);
      if (gradient.shape().size(3) != sizes[3]) {
        throw TributaryException.invalidArgument(
            "image_size %s and grads of shape %s are incompatible", shape, gradient.shape());
      }
      Tensor output = context.allocateOutput(0, shape);
      Fill.zeros(output);
      long channels = sizes[3];
      crops.forEach(
          0,
          gradient.elementCount() == 0 ? 0 : gradient.shape().size(0),
          (pixel, image, y, x) -> {
            long from = gradient.storage().address() + pixel * channels * Float.BYTES;
            if (nearest) {
              add(
                  elements,
                  channels,
                  from,
                  1,
                  1,
                  address(output, image, Math.round(y), Math.round(x)));
            } else {
              new Corners(output, image, y, x).spread(elements, channels, from);
            }
          });
    };
  }

  private static void add(
      RealElements elements, long channels, long from, float down, float across, long to) {
    for (long c = 0; c < channels; c++) {
      float value = down * Memory.getFloat(from + c * Float.BYTES);
      elements.add(to + c * elements.size(), across * value);
    }
  }

  /** Inputs: the gradient of the crops, images, boxes, and the image of each box. */
  public static Kernel boxesGradient(KernelNode node) {
    return context -> {
      Tensor gradient = context.input(0);
      Tensor images = context.input(1);
      Shape shape = requireImages(images.shape(), "input image");
      Crops crops = crops(gradient, context.input(2), context.input(3), shape);
      if (gradient.shape().size(3) != shape.size(3)) {
        throw TributaryException.invalidArgument(
            "image of shape %s and grads of shape %s differ in depth", shape, gradient.shape());
      }
      Tensor output = context.allocateOutput(0, Shape.of(gradient.shape().size(0), 4));
      Fill.zeros(output);
      if (gradient.elementCount() > 0) {
        try (Tensor pixels = FloatPixels.of(context, images)) {
          boxesGradient(crops, gradient, pixels, output);
        }
      }
    };
  }

  private static void boxesGradient(Crops crops, Tensor gradient, Tensor images, Tensor output) {
    long height = gradient.shape().size(1);
    long width = gradient.shape().size(2);
    long channels = gradient.shape().size(3);
    long imageHeight = images.shape().size(1);
    long imageWidth = images.shape().size(2);
    crops.forEach(
        0,
        gradient.shape().size(0),
        (pixel, image, y, x) -> {
          Corners corners = new Corners(images, image, y, x);
          long to = output.storage().address() + pixel / (height * width) * 4 * Float.BYTES;
          double down = share(pixel / width % height, height);
          double across = share(pixel % width, width);
          for (long c = 0; c < channels; c++) {
            float value =
                Memory.getFloat(
                    gradient.storage().address() + (pixel * channels + c) * Float.BYTES);
            float slopeY = corners.slopeY(c) * value * (imageHeight - 1);
            float slopeX = corners.slopeX(c) * value * (imageWidth - 1);
            RealElements.FLOAT.add(to, slopeY * (1 - down));
            RealElements.FLOAT.add(to + Float.BYTES, slopeX * (1 - across));
            RealElements.FLOAT.add(to + 2 * Float.BYTES, slopeY * down);
            RealElements.FLOAT.add(to + 3 * Float.BYTES, slopeX * across);
          }
        });
  }

  /** The position of a pixel between the first side of a box and the second. */
  private static double share(long pixel, long pixels) {
    return pixels == 1 ? 0.5 : (double) pixel / (pixels - 1);
  }

  private static Crops crops(Tensor gradient, Tensor boxes, Tensor images, Shape image) {
    Shape crops = requireImages(gradient.shape(), "grads");
    if (crops.size(0) != Crops.count(boxes, images)) {
      throw TributaryException.invalidArgument(
          "boxes of shape %s and grads of shape %s have incompatible shapes", boxes.shape(), crops);
    }
    Crops.requireImages(images, image.size(0));
    return new Crops(boxes, images, image, crops);
  }

  private static Shape requireImages(Shape shape, String what) {
    if (shape.rank() != 4) {
      throw TributaryException.invalidArgument("%s must be 4-D, got %s", what, shape);
    }
    if (shape.size(1) <= 0 || shape.size(2) <= 0) {
      throw TributaryException.invalidArgument(
          "%s dimensions must be positive, got %s", what, shape);
    }
    return shape;
  }

  private static void requireFinite(Tensor boxes) {
    for (long i = 0; i < boxes.elementCount(); i++) {
      if (!Float.isFinite(boxes.getFloat(i))) {
        throw TributaryException.invalidArgument(
            "Boxes contains at least one element that is not finite, at %s",
            IndexTensors.coordinates(boxes.shape(), i));
      }
    }
  }

  private static void fill(Tensor output, float value) {
    for (long i = 0; i < output.elementCount(); i++) {
      Memory.putFloat(output.storage().address() + i * Float.BYTES, value);
    }
  }

  private static long address(Tensor images, long image, long y, long x) {
    Shape shape = images.shape();
    long pixel = (image * shape.size(1) + y) * shape.size(2) + x;
    return images.storage().address() + pixel * shape.size(3) * images.type().size();
  }

  /** The four pixels around a place in an image, and its distance from the first of them. */
  private static final class Corners {
    private final long topLeft;
    private final long topRight;
    private final long bottomLeft;
    private final long bottomRight;
    private final float down;
    private final float across;

    Corners(Tensor images, long image, float y, float x) {
      int top = (int) Math.floor(y);
      int bottom = (int) Math.ceil(y);
      int left = (int) Math.floor(x);
      int right = (int) Math.ceil(x);
      this.topLeft = address(images, image, top, left);
      this.topRight = address(images, image, top, right);
      this.bottomLeft = address(images, image, bottom, left);
      this.bottomRight = address(images, image, bottom, right);
      this.down = y - top;
      this.across = x - left;
    }

    void interpolate(long channels, long to) {
      for (long at = 0; at < channels * Float.BYTES; at += Float.BYTES) {
        float aboveLeft = Memory.getFloat(topLeft + at);
        float belowLeft = Memory.getFloat(bottomLeft + at);
        float above = aboveLeft + (Memory.getFloat(topRight + at) - aboveLeft) * across;
        float below = belowLeft + (Memory.getFloat(bottomRight + at) - belowLeft) * across;
        Memory.putFloat(to + at, above + (below - above) * down);
      }
    }

    void spread(RealElements elements, long channels, long from) {
      add(elements, channels, from, 1 - down, 1 - across, topLeft);
      add(elements, channels, from, 1 - down, across, topRight);
      add(elements, channels, from, down, 1 - across, bottomLeft);
      add(elements, channels, from, down, across, bottomRight);
    }

    float slopeY(long channel) {
      long at = channel * Float.BYTES;
      return (1 - across) * (Memory.getFloat(bottomLeft + at) - Memory.getFloat(topLeft + at))
          + across * (Memory.getFloat(bottomRight + at) - Memory.getFloat(topRight + at));
    }

    float slopeX(long channel) {
      long at = channel * Float.BYTES;
      return (1 - down) * (Memory.getFloat(topRight + at) - Memory.getFloat(topLeft + at))
          + down * (Memory.getFloat(bottomRight + at) - Memory.getFloat(bottomLeft + at));
    }
  }
}
