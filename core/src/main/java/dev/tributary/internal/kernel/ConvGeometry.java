package dev.tributary.internal.kernel;

import dev.tributary.error.TributaryException;

/**
 * All sizes of a 2-D convolution. The image is [batch, height, width, inChannels] in the order of
 * {@code format}, the filter always [height.size, width.size, filterChannels, outChannels], the
 * result [batch, height.output, width.output, outChannels] in the order of {@code format}. Where
 * {@code filterChannels} divides {@code inChannels}, the convolution is grouped. A depthwise filter
 * [h, w, c, m] is in memory a grouped one with {@code filterChannels} 1 and {@code outChannels} c *
 * m.
 */
public record ConvGeometry(
    ImageFormat format,
    long batch,
    long inChannels,
    long filterChannels,
    long outChannels,
    Window height,
    Window width) {
  public ConvGeometry {
    if (batch < 0 || inChannels < 0 || outChannels < 0 || !height.isKnown() || !width.isKnown()) {
      throw TributaryException.invalidArgument(
          "a convolution needs known sizes, got batch %d, channels %d to %d, %s, %s",
          batch, inChannels, outChannels, height, width);
    }
    if (filterChannels <= 0 || inChannels % filterChannels != 0) {
      throw TributaryException.invalidArgument(
          "the input's channels must be a multiple of the filter's, got %d and %d",
          inChannels, filterChannels);
    }
    long groups = inChannels / filterChannels;
    if (groups > 0 && outChannels % groups != 0) {
      throw TributaryException.invalidArgument(
          "the filter's output channels must be a multiple of the %d groups, got %d",
          groups, outChannels);
    }
  }

  /**
   * The geometry of a depthwise convolution whose filter has {@code multiplier} outputs for each
   * channel.
   */
  public static ConvGeometry depthwise(
      ImageFormat format, long batch, long channels, long multiplier, Window height, Window width) {
    return new ConvGeometry(format, batch, channels, 1, channels * multiplier, height, width);
  }

  /** The same for another number of images. */
  public ConvGeometry withBatch(long images) {
    return new ConvGeometry(format, images, inChannels, filterChannels, outChannels, height, width);
  }

  public long groups() {
    return inChannels / filterChannels;
  }

  /** Returns whether each input channel is filtered by itself. */
  public boolean isDepthwise() {
    return filterChannels == 1 && inChannels > 1;
  }

  public long inputElements() {
    return batch * height.input() * width.input() * inChannels;
  }

  public long filterElements() {
    return height.size() * width.size() * filterChannels * outChannels;
  }

  public long outputElements() {
    return batch * height.output() * width.output() * outChannels;
  }
}
