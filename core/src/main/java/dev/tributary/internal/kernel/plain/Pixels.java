package dev.tributary.internal.kernel.plain;

import dev.tributary.internal.kernel.ChannelGeometry;

/**
 * A tensor with channels as a sequence of pixels, read and written as [pixels][channels] doubles
 * whatever its order in memory: pixel p is the inner index p % inner of outer index p / inner.
 */
record Pixels(Reals reals, long address, ChannelGeometry geometry) {
  /** A block size for loops over all pixels: some ten KiB of doubles. */
  static int block(long channels) {
    return (int) Math.max(1, 2048 / Math.max(1, channels));
  }

  void load(long pixel, int count, double[] to) {
    final int size = reals.size();
    final int channels = (int) geometry.channels();
    if (geometry.inner() == 1) {
      reals.load(address + pixel * channels * size, size, count * channels, to, 0, 1);
      return;
    }
    for (int done = 0; done < count; ) {
      final long inner = (pixel + done) % geometry.inner();
      final int run = (int) Math.min(geometry.inner() - inner, count - done);
      final long start = start(pixel + done, inner);
      for (int c = 0; c < channels; c++) {
        reals.load(
            start + c * geometry.inner() * size, size, run, to, done * channels + c, channels);
      }
      done += run;
    }
  }

  void store(double[] from, long pixel, int count) {
    final int size = reals.size();
    final int channels = (int) geometry.channels();
    if (geometry.inner() == 1) {
      reals.store(from, 0, 1, count * channels, address + pixel * channels * size, size);
      return;
    }
    for (int done = 0; done < count; ) {
      final long inner = (pixel + done) % geometry.inner();
      final int run = (int) Math.min(geometry.inner() - inner, count - done);
      final long start = start(pixel + done, inner);
      for (int c = 0; c < channels; c++) {
        reals.store(
            from, done * channels + c, channels, run, start + c * geometry.inner() * size, size);
      }
      done += run;
    }
  }

  /** Adds to one element. */
  void add(long pixel, int channel, double value) {
    final long at =
        start(pixel, pixel % geometry.inner()) + channel * geometry.inner() * reals.size();
    reals.put(at, reals.get(at) + value);
  }

  private long start(long pixel, long inner) {
    return address
        + (pixel / geometry.inner() * geometry.channels() * geometry.inner() + inner)
            * reals.size();
  }
}
