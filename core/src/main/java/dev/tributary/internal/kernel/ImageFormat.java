package dev.tributary.internal.kernel;

import dev.tributary.error.TributaryException;

/**
 * The order of an image tensor's four dimensions, called {@code data_format} in TensorFlow's ops.
 */
public enum ImageFormat {
  NHWC(1, 2, 3),
  NCHW(2, 3, 1);

  private final int height;
  private final int width;
  private final int channels;

  ImageFormat(int height, int width, int channels) {
    this.height = height;
    this.width = width;
    this.channels = channels;
  }

  /** The format with this {@code data_format} name. */
  public static ImageFormat of(String name) {
    for (ImageFormat format : values()) {
      if (format.name().equals(name)) {
        return format;
      }
    }
    throw TributaryException.invalidArgument("data_format must be NHWC or NCHW, got '%s'", name);
  }

  /**
   * Returns the dimension of the height; likewise {@link #width} and {@link #channels}. The batch
   * is always the first.
   */
  public int height() {
    return height;
  }

  public int width() {
    return width;
  }

  public int channels() {
    return channels;
  }
}
