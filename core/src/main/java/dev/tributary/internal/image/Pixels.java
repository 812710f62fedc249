package dev.tributary.internal.image;

import dev.tributary.error.TributaryException;

/**
 * An image of 8 bits a sample: 1 channel is grey, 2 grey and opacity, 3 red, green and blue, 4
 * these and opacity. Samples are row by row, those of a pixel together; the array is not copied.
 */
public record Pixels(int height, int width, int channels, byte[] samples) {
  /** TensorFlow's limit. */
  static final long MOST_SAMPLES = 1L << 29;

  public Pixels {
    requireSize(height, width, channels);
    if (samples.length != (long) height * width * channels) {
      throw TributaryException.invalidArgument(
          "%d samples do not make an image of %d x %d with %d channels",
          samples.length, width, height, channels);
    }
  }

  Pixels(int height, int width, int channels) {
    this(height, width, channels, new byte[size(height, width, channels)]);
  }

  /** An image with the mean of each square of {@code ratio * ratio} pixels, or of what it has. */
  public Pixels shrunk(int ratio) {
    if (ratio == 1) {
      return this;
    }
    Pixels small = new Pixels((height + ratio - 1) / ratio, (width + ratio - 1) / ratio, channels);
    for (int y = 0; y < small.height; y++) {
      for (int x = 0; x < small.width; x++) {
        for (int channel = 0; channel < channels; channel++) {
          small.samples[(y * small.width + x) * channels + channel] =
              mean(y * ratio, x * ratio, ratio, channel);
        }
      }
    }
    return small;
  }

  /** The part that begins at a row and a column. */
  public Pixels cropped(int top, int left, int cropHeight, int cropWidth) {
    boolean fits =
        top >= 0
            && left >= 0
            && cropHeight > 0
            && cropWidth > 0
            && (long) top + cropHeight <= height
            && (long) left + cropWidth <= width;
    if (!fits) {
      throw TributaryException.invalidArgument(
          "a crop window of %d x %d from row %d and column %d on does not fit into an image of"
              + " %d x %d",
          cropWidth, cropHeight, top, left, width, height);
    }
    Pixels part = new Pixels(cropHeight, cropWidth, channels);
    int row = cropWidth * channels;
    for (int y = 0; y < cropHeight; y++) {
      int from = ((top + y) * width + left) * channels;
      System.arraycopy(samples, from, part.samples, y * row, row);
    }
    return part;
  }

  private byte mean(int top, int left, int side, int channel) {
    int bottom = Math.min(top + side, height);
    int right = Math.min(left + side, width);
    int sum = 0;
    for (int y = top; y < bottom; y++) {
      for (int x = left; x < right; x++) {
        sum += Byte.toUnsignedInt(samples[(y * width + x) * channels + channel]);
      }
    }
    int count = (bottom - top) * (right - left);
    return (byte) ((sum + count / 2) / count);
  }

  /** Refuses a size before memory is taken for it. */
  static void requireSize(int height, int width, int channels) {
    if (height <= 0 || width <= 0 || (long) height * width > MOST_SAMPLES / channels) {
      throw TributaryException.invalidArgument(
          "an image must have at least one pixel and at most %d samples, got %d x %d with %d"
              + " channels",
          MOST_SAMPLES, width, height, channels);
    }
  }

  private static int size(int height, int width, int channels) {
    requireSize(height, width, channels);
    return height * width * channels;
  }
}
