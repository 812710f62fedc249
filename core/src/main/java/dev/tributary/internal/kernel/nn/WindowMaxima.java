package dev.tributary.internal.kernel.nn;

import static dev.tributary.internal.kernel.nn.OrderedElements.least;
import static dev.tributary.internal.kernel.nn.OrderedElements.read;
import static dev.tributary.internal.kernel.nn.OrderedElements.write;

import dev.tributary.internal.kernel.ImageFormat;
import dev.tributary.internal.kernel.PoolGeometry;
import dev.tributary.internal.kernel.Window;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;

/**
 * Max pooling for the element types and the gradient that are rarely asked for: one window after
 * the other, with elements read as longs of the same order. Of equal elements the first in
 * row-major order counts.
 */
final class WindowMaxima {
  private final DataType type;
  private final PoolGeometry geometry;
  private final long image;

  private WindowMaxima(DataType type, PoolGeometry geometry, long image) {
    this.type = type;
    this.geometry = geometry;
    this.image = image;
  }

  /**
   * Says what to do with the output at {@code output}, whose window has its largest element at
   * {@code input}.
   */
  @FunctionalInterface
  interface Visitor {
    void accept(long input, long output);
  }

  /** The largest element of each window of an image of integers. */
  static void pool(DataType type, PoolGeometry geometry, long image, long output) {
    new WindowMaxima(type, geometry, image)
        .visit(
            (from, to) ->
                write(type, output, to, from < 0 ? least(type) : read(type, image, from)));
  }

  /** Goes over the places of the largest elements; a window without elements has none. */
  static void places(DataType type, PoolGeometry geometry, long image, Visitor action) {
    new WindowMaxima(type, geometry, image)
        .visit(
            (from, to) -> {
              if (from >= 0) {
                action.accept(from, to);
              }
            });
  }

  /**
   * Adds each element of the gradient, of integers, to where the largest element of its window
   * lies.
   */
  static void gradient(
      DataType type, PoolGeometry geometry, long image, long outputGradient, long inputGradient) {
    Memory.fill(inputGradient, geometry.inputElements() * type.size(), (byte) 0);
    new WindowMaxima(type, geometry, image)
        .visit(
            (to, from) -> {
              if (to >= 0) {
                write(
                    type,
                    inputGradient,
                    to,
                    read(type, inputGradient, to) + read(type, outputGradient, from));
              }
            });
  }

  /**
   * Takes, for each window, the gradient at the window's largest element, which is known from the
   * pooled image.
   */
  static void secondGradient(
      DataType type, PoolGeometry geometry, long image, long pooled, long gradient, long output) {
    int size = type.size();
    new WindowMaxima(type, geometry, image)
        .visit(
            (from, to) -> {
              if (from < 0 || read(type, image, from) != read(type, pooled, to)) {
                Memory.fill(output + to * size, size, (byte) 0);
              } else {
                Memory.copy(gradient + from * size, output + to * size, size);
              }
            });
  }

  private void visit(Visitor visitor) {
    Window height = geometry.height();
    Window width = geometry.width();
    for (long batch = 0; batch < geometry.batch(); batch++) {
      for (long y = 0; y < height.output(); y++) {
        for (long x = 0; x < width.output(); x++) {
          for (long channel = 0; channel < geometry.channels(); channel++) {
            visitor.accept(
                largest(batch, y, x, channel),
                at(batch, height.output(), y, width.output(), x, channel));
          }
        }
      }
    }
  }

  /** Returns where the largest element of a window lies; -1 for a window without elements. */
  private long largest(long batch, long row, long column, long channel) {
    Window height = geometry.height();
    Window width = geometry.width();
    long top = Math.max(0, height.start(row));
    long bottom = Math.min(height.input(), height.start(row) + height.size());
    long left = Math.max(0, width.start(column));
    long right = Math.min(width.input(), width.start(column) + width.size());
    long found = -1;
    long best = 0;
    for (long y = top; y < bottom; y++) {
      for (long x = left; x < right; x++) {
        long here = at(batch, height.input(), y, width.input(), x, channel);
        long value = read(type, image, here);
        if (found < 0 || value > best) {
          found = here;
          best = value;
        }
      }
    }
    return found;
  }

  private long at(long batch, long rows, long row, long columns, long column, long channel) {
    long channels = geometry.channels();
    return geometry.format() == ImageFormat.NHWC
        ? ((batch * rows + row) * columns + column) * channels + channel
        : ((batch * channels + channel) * rows + row) * columns + column;
  }
}
