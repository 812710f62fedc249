package dev.tributary.internal.kernel.nn;

import dev.tributary.internal.kernel.Window;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Tensor;

/**
 * The windows over a batch of volumes [batch, depth, height, width, channels], one for each pixel
 * of the result. Pixels are counted in row-major order.
 */
record VolumeWindows(long batch, Window depth, Window height, Window width) {
  /** A tap of a window, and the pixel of the volume under it. */
  @FunctionalInterface
  interface Tap {
    /**
     * @param at counts the taps of all windows visited, window by window
     * @param pixel negative for a tap in the padding
     */
    void accept(long at, long pixel);
  }

  /** The number of rows of pixels in the result. */
  long rows() {
    return batch * depth.output() * height.output();
  }

  /** The number of pixels in a row of the result. */
  long rowLength() {
    return width.output();
  }

  /** The number of taps that the window of a pixel of the result has inside of the volume. */
  long inside(long result) {
    long row = result / width.output();
    return inside(width, result % width.output())
        * inside(height, row % height.output())
        * inside(depth, row / height.output() % depth.output());
  }

  private static long inside(Window window, long i) {
    long start = window.start(i);
    return Math.min(window.input(), start + window.size()) - Math.max(0, start);
  }

  /** Visits what all windows have inside of the volume: pixels of the result and of the volume. */
  void forEachInside(Tap pair) {
    long result = 0;
    for (long row = 0; row < rows(); row++) {
      long y = height.start(row % height.output());
      long z = depth.start(row / height.output() % depth.output());
      long image = row / height.output() / depth.output() * depth.input();
      for (long column = 0; column < width.output(); column++) {
        long x = width.start(column);
        for (long i = Math.max(0, z); i < Math.min(depth.input(), z + depth.size()); i++) {
          for (long j = Math.max(0, y); j < Math.min(height.input(), y + height.size()); j++) {
            long line = ((image + i) * height.input() + j) * width.input();
            for (long k = Math.max(0, x); k < Math.min(width.input(), x + width.size()); k++) {
              pair.accept(result, line + k);
            }
          }
        }
        result++;
      }
    }
  }

  /** Visits the windows of some rows of the result. */
  void forEachTap(long firstRow, long rows, Tap tap) {
    long at = 0;
    for (long row = firstRow; row < firstRow + rows; row++) {
      long y = height.start(row % height.output());
      long z = depth.start(row / height.output() % depth.output());
      long image = row / height.output() / depth.output() * depth.input();
      for (long column = 0; column < width.output(); column++) {
        long x = width.start(column);
        for (long i = 0; i < depth.size(); i++) {
          long plane = place(depth, z + i * depth.dilation());
          for (long j = 0; j < height.size(); j++) {
            long line = place(height, y + j * height.dilation());
            boolean empty = plane < 0 || line < 0;
            long start = ((image + plane) * height.input() + line) * width.input();
            for (long k = 0; k < width.size(); k++) {
              long pixel = place(width, x + k * width.dilation());
              tap.accept(at++, empty || pixel < 0 ? -1 : start + pixel);
            }
          }
        }
      }
    }
  }

  /** Copies the pixels under some rows of windows to an address, with zeros for the padding. */
  void copy(Tensor volume, long patches, long firstRow, long rows) {
    long from = volume.storage().address();
    long bytes = volume.shape().size(4) * volume.type().size();
    forEachTap(
        firstRow,
        rows,
        (at, pixel) -> {
          if (pixel < 0) {
            Memory.fill(patches + at * bytes, bytes, (byte) 0);
          } else {
            Memory.copy(from + pixel * bytes, patches + at * bytes, bytes);
          }
        });
  }

  private static long place(Window window, long place) {
    return place < window.input() ? place : -1;
  }
}
