package dev.tributary.ops;

import dev.tributary.kernel.ImageFormat;

/**
 * How the windows of a convolution or pooling lie on an image. Immutable; each method gives a
 * changed copy.
 *
 * <pre>{@code
 * tf.conv.conv2d(image, filter, ConvOptions.of(2, "SAME").dilations(1, 2).format(ImageFormat.NCHW));
 * }</pre>
 */
public record ConvOptions(
    ImageFormat format,
    String padding,
    long strideHeight,
    long strideWidth,
    long dilationHeight,
    long dilationWidth,
    Padding explicit) {
  /** Zeros around an image, for padding EXPLICIT. */
  public record Padding(long top, long bottom, long left, long right) {}

  private static final Padding NO_PADDING = new Padding(0, 0, 0, 0);

  /** The same stride down and across, and padding SAME or VALID. */
  public static ConvOptions of(long stride, String padding) {
    return new ConvOptions(ImageFormat.NHWC, padding, stride, stride, 1, 1, NO_PADDING);
  }

  public ConvOptions format(ImageFormat newFormat) {
    return new ConvOptions(
        newFormat, padding, strideHeight, strideWidth, dilationHeight, dilationWidth, explicit);
  }

  public ConvOptions strides(long height, long width) {
    return new ConvOptions(format, padding, height, width, dilationHeight, dilationWidth, explicit);
  }

  public ConvOptions dilations(long height, long width) {
    return new ConvOptions(format, padding, strideHeight, strideWidth, height, width, explicit);
  }

  /** Makes the padding EXPLICIT. */
  public ConvOptions paddings(long top, long bottom, long left, long right) {
    Padding zeros = new Padding(top, bottom, left, right);
    return new ConvOptions(
        format, "EXPLICIT", strideHeight, strideWidth, dilationHeight, dilationWidth, zeros);
  }

  long[] strides() {
    return spatial(strideHeight, strideWidth);
  }

  long[] dilations() {
    return spatial(dilationHeight, dilationWidth);
  }

  /** As attribute {@code explicit_paddings} wants it: empty unless padding is EXPLICIT. */
  long[] explicitPaddings() {
    if (!padding.equals("EXPLICIT")) {
      return new long[0];
    }
    long[] all = new long[8];
    all[2 * format.height()] = explicit.top();
    all[2 * format.height() + 1] = explicit.bottom();
    all[2 * format.width()] = explicit.left();
    all[2 * format.width() + 1] = explicit.right();
    return all;
  }

  long[] spatial(long height, long width) {
    long[] all = {1, 1, 1, 1};
    all[format.height()] = height;
    all[format.width()] = width;
    return all;
  }
}
