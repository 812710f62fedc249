package dev.tributary.internal.kernel.image;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The kernels of DrawBoundingBoxes and V2. Inputs: images, for each image its boxes as [y1, x1, y2,
 * x2] where 1 is the last pixel, and in V2 the colours that the boxes have in turn.
 */
public final class BoxDrawing {
  /** Yellow, blue, red, lime, purple, olive, maroon, navy, aqua, fuchsia; all opaque. */
  private static final double[][] COLORS = {
    {1, 1, 0, 1},
    {0, 0, 1, 1},
    {1, 0, 0, 1},
    {0, 1, 0, 1},
    {0.5, 0, 0.5, 1},
    {0.5, 0.5, 0, 1},
    {0.5, 0, 0, 1},
    {0, 0, 0.5, 1},
    {0, 1, 1, 1},
    {1, 0, 1, 1}
  };

  private final RealElements elements;
  private final Tensor output;
  private final long height;
  private final long width;
  private final int depth;

  private BoxDrawing(RealElements elements, Tensor output) {
    this.elements = elements;
    this.output = output;
    this.height = output.shape().size(1);
    this.width = output.shape().size(2);
    this.depth = (int) output.shape().size(3);
  }

  public static Kernel of(KernelNode node) {
    RealElements elements = RealElements.of(node.type());
    return context -> {
      Tensor images = context.input(0);
      Tensor boxes = context.input(1);
      requireShapes(images.shape(), boxes.shape());
      double[][] colors = colors(context, (int) images.shape().size(3));
      Tensor output = context.allocateOutput(0, images.shape());
      Memory.copy(images.storage().address(), output.storage().address(), output.byteSize());
      BoxDrawing drawing = new BoxDrawing(elements, output);
      long count = boxes.shape().size(1);
      for (long b = 0; b < images.shape().size(0); b++) {
        for (long i = 0; i < count; i++) {
          long box = boxes.storage().address() + (b * count + i) * 4 * Float.BYTES;
          drawing.draw(b, box, colors[(int) (i % colors.length)]);
        }
      }
    };
  }

  /** Draws the lines that are inside of the image. */
  private void draw(long image, long box, double[] color) {
    long top = side(box, 0, height);
    long left = side(box, 1, width);
    long bottom = side(box, 2, height);
    long right = side(box, 3, width);
    boolean isOutside = top >= height || bottom < 0 || left >= width || right < 0;
    if (top > bottom || left > right || isOutside) {
      return;
    }
    for (long x = Math.max(0, left); x <= Math.min(right, width - 1); x++) {
      put(image, top, x, color);
      put(image, bottom, x, color);
    }
    for (long y = Math.max(0, top); y <= Math.min(bottom, height - 1); y++) {
      put(image, y, left, color);
      put(image, y, right, color);
    }
  }

  private static long side(long box, int i, long size) {
    return (long) (Memory.getFloat(box + (long) i * Float.BYTES) * (size - 1));
  }

  private void put(long image, long y, long x, double[] color) {
    if (y >= 0 && y < height && x >= 0 && x < width) {
      long pixel = (image * height + y) * width + x;
      long to = output.storage().address() + pixel * depth * elements.size();
      for (int c = 0; c < depth; c++) {
        elements.put(to + (long) c * elements.size(), color[c]);
      }
    }
  }

  /** The default colours have a first channel of 1 in images of one channel. */
  private static double[][] colors(KernelContext context, int depth) {
    if (context.inputCount() == 3) {
      Tensor given = context.input(2);
      Shape shape = given.shape();
      if (shape.rank() != 2 || shape.size(1) < depth) {
        throw TributaryException.invalidArgument(
            "colors must be a matrix with a column for each of the %d channels, got shape %s",
            depth, shape);
      }
      if (given.elementCount() > 0) {
        double[][] colors = new double[ArrayLength.of(shape.size(0))][depth];
        for (int i = 0; i < colors.length; i++) {
          for (int c = 0; c < depth; c++) {
            colors[i][c] = Reals.at(given, i * shape.size(1) + c);
          }
        }
        return colors;
      }
    }
    return depth == 1 ? new double[][] {{1}} : COLORS;
  }

  private static void requireShapes(Shape images, Shape boxes) {
    if (images.rank() != 4) {
      throw TributaryException.invalidArgument("images must have rank 4, got shape %s", images);
    }
    if (boxes.rank() != 3 || boxes.size(2) != 4) {
      throw TributaryException.invalidArgument(
          "boxes must be [batch, boxes, 4], got shape %s", boxes);
    }
    if (images.size(0) != boxes.size(0)) {
      throw TributaryException.invalidArgument(
          "images and boxes must have the same batch size, got shapes %s and %s", images, boxes);
    }
    long depth = images.size(3);
    if (depth != 1 && depth != 3 && depth != 4) {
      throw TributaryException.invalidArgument(
          "images must have 1 (grey), 3 (RGB) or 4 (RGBA) channels, got shape %s", images);
    }
  }
}
