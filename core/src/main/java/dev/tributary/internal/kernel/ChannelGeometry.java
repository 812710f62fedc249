package dev.tributary.internal.kernel;

import dev.tributary.error.TributaryException;

/**
 * A tensor seen as [outer, channels, inner], for operations that treat each channel by itself: NHWC
 * images are [n*h*w, c, 1], NCHW images [n, c, h*w].
 */
public record ChannelGeometry(long outer, long channels, long inner) {
  public ChannelGeometry {
    if (outer < 0 || channels < 0 || inner < 0) {
      throw TributaryException.invalidArgument(
          "sizes must be known, got [%d, %d, %d]", outer, channels, inner);
    }
  }

  /** An image batch of this format. */
  public static ChannelGeometry of(ImageFormat format, long batch, long pixels, long channels) {
    return format == ImageFormat.NHWC
        ? new ChannelGeometry(batch * pixels, channels, 1)
        : new ChannelGeometry(batch, channels, pixels);
  }

  /** Returns how many values each channel has. */
  public long pixels() {
    return outer * inner;
  }

  public long elements() {
    return outer * channels * inner;
  }
}
