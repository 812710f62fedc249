package dev.tributary.internal.kernel;

import dev.tributary.error.TributaryException;

/**
 * All sizes of a 2-D pooling: windows over height and width, each channel by itself. Dilation is
 * always 1.
 */
public record PoolGeometry(
    ImageFormat format, long batch, long channels, Window height, Window width) {
  public PoolGeometry {
    if (batch < 0 || channels < 0 || !height.isKnown() || !width.isKnown()) {
      throw TributaryException.invalidArgument(
          "pooling needs known sizes, got batch %d, channels %d, %s, %s",
          batch, channels, height, width);
    }
    if (height.dilation() != 1 || width.dilation() != 1) {
      throw TributaryException.unimplemented(
          "pooling with dilation %d, %d", height.dilation(), width.dilation());
    }
  }

  public long inputElements() {
    return batch * height.input() * width.input() * channels;
  }

  public long outputElements() {
    return batch * height.output() * width.output() * channels;
  }
}
