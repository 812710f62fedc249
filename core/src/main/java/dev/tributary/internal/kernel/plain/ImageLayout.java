package dev.tributary.internal.kernel.plain;

import dev.tributary.internal.kernel.ImageFormat;

/** The memory layout of an image batch: byte steps for each dimension. */
record ImageLayout(
    long address,
    long height,
    long width,
    long imageStep,
    long lineStep,
    long pixelStep,
    long channelStep) {
  static ImageLayout of(
      ImageFormat format, long address, long height, long width, long channels, int size) {
    final long image = height * width * channels * size;
    return format == ImageFormat.NHWC
        ? new ImageLayout(
            address, height, width, image, width * channels * size, channels * size, size)
        : new ImageLayout(address, height, width, image, width * size, size, height * width * size);
  }

  /** The same images from channel {@code channel} on. */
  ImageLayout fromChannel(long channel) {
    return new ImageLayout(
        address + channel * channelStep,
        height,
        width,
        imageStep,
        lineStep,
        pixelStep,
        channelStep);
  }
}
