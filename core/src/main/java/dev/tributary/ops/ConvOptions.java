package dev.tributary.ops;

import dev.tributary.internal.kernel.ImageFormat;

/**
 * The position of a convolution's or pooling's windows on an image. Immutable; each {@code with}
 * method returns a changed copy.
 *
 * <pre>{@code
 * ConvOptions options = ConvOptions.of(2, Padding.SAME).withDilations(1, 2);
 * Output y = tf.conv2d(image, filter, options.withFormat(DataFormat.NCHW));
 * }</pre>
 */
public record ConvOptions(
    DataFormat format,
    Padding padding,
    long strideHeight,
    long strideWidth,
    long dilationHeight,
    long dilationWidth,
    Margins margins) {
  /** Zeros around an image, for padding EXPLICIT. */
  public record Margins(long top, long bottom, long left, long right) {}

  private static final Margins NONE = new Margins(0, 0, 0, 0);

  /** The same stride down and across, and padding SAME or VALID. */
  public static ConvOptions of(long stride, Padding padding) {
    return new ConvOptions(DataFormat.NHWC, padding, stride, stride, 1, 1, NONE);
  }

  /** {@link DataFormat#NHWC} or {@link DataFormat#NCHW}. */
  public ConvOptions withFormat(DataFormat newFormat) {
    return new ConvOptions(
        newFormat, padding, strideHeight, strideWidth, dilationHeight, dilationWidth, margins);
  }

  public ConvOptions withStrides(long height, long width) {
    return new ConvOptions(format, padding, height, width, dilationHeight, dilationWidth, margins);
  }

  public ConvOptions withDilations(long height, long width) {
    return new ConvOptions(format, padding, strideHeight, strideWidth, height, width, margins);
  }

  /** Makes the padding EXPLICIT. */
  public ConvOptions withPaddings(long top, long bottom, long left, long right) {
    Margins zeros = new Margins(top, bottom, left, right);
    return new ConvOptions(
        format, Padding.EXPLICIT, strideHeight, strideWidth, dilationHeight, dilationWidth, zeros);
  }

  long[] strides() {
    return spatial(strideHeight, strideWidth);
  }

  long[] dilations() {
    return spatial(dilationHeight, dilationWidth);
  }

  /** As attribute {@code explicit_paddings} wants it: empty unless padding is EXPLICIT. */
  long[] explicitPaddings() {
    if (padding != Padding.EXPLICIT) {
      return new long[0];
    }
    ImageFormat order = ImageFormat.of(format.name());
    long[] all = new long[8];
    all[2 * order.height()] = margins.top();
    all[2 * order.height() + 1] = margins.bottom();
    all[2 * order.width()] = margins.left();
    all[2 * order.width() + 1] = margins.right();
    return all;
  }

  long[] spatial(long height, long width) {
    ImageFormat order = ImageFormat.of(format.name());
    long[] all = {1, 1, 1, 1};
    all[order.height()] = height;
    all[order.width()] = width;
    return all;
  }
}
