package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ImageFormat;
import dev.tributary.internal.kernel.Window;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.Shape;
import java.util.Arrays;

/**
 * The attributes that convolutions and pooling share: {@code data_format}, {@code strides}, {@code
 * padding} and, where an op has them, {@code explicit_paddings} and {@code dilations}. Immutable.
 */
final class WindowSpec {
  private static final int RANK = 4;

  private final ImageFormat format;
  private final long[] strides;
  private final long[] dilations;
  private final String padding;
  private final long[] paddings;

  private WindowSpec(
      ImageFormat format, long[] strides, long[] dilations, String padding, long[] paddings) {
    this.format = format;
    this.strides = strides;
    this.dilations = dilations;
    this.padding = padding;
    this.paddings = paddings;
  }

  static WindowSpec of(Attributes attributes) {
    return of(attributes, attributes.integers("strides"));
  }

  /** With strides that are no attribute but an input. */
  static WindowSpec of(Attributes attributes, long[] strides) {
    return of(
        attributes,
        strides,
        attributes.has("dilations") ? attributes.integers("dilations") : new long[] {1, 1, 1, 1});
  }

  /** With dilations that the op calls otherwise. */
  static WindowSpec of(Attributes attributes, long[] strides, long[] dilations) {
    ImageFormat format =
        attributes.has("data_format")
            ? ImageFormat.of(attributes.string("data_format"))
            : ImageFormat.NHWC;
    requireSpatial(format, "strides", strides);
    requireSpatial(format, "dilations", dilations);
    String padding = attributes.string("padding");
    return new WindowSpec(
        format, strides, dilations, padding, paddings(attributes, format, padding));
  }

  ImageFormat format() {
    return format;
  }

  /** The window of {@code size} taps over the height of an image, whose sizes may be unknown. */
  Window height(Shape image, long size) {
    return window(image, format.height(), size);
  }

  Window width(Shape image, long size) {
    return window(image, format.width(), size);
  }

  /** The shape of an image in this format. */
  Shape image(long batch, long height, long width, long channels) {
    return format == ImageFormat.NHWC
        ? Shape.of(batch, height, width, channels)
        : Shape.of(batch, channels, height, width);
  }

  /** Fails if a window of these sizes could lie in explicit padding as a whole. */
  void requirePaddingBelow(long[] sizes) {
    for (int i = 0; i < paddings.length; i++) {
      if (paddings[i] > 0 && paddings[i] >= sizes[i / 2]) {
        throw TributaryException.invalidArgument(
            "explicit_paddings must be smaller than ksize, got %s and %s",
            Arrays.toString(paddings), Arrays.toString(sizes));
      }
    }
  }

  /**
   * Fails unless the values for batch and channels are 1: windows go over height and width only.
   */
  static void requireSpatial(ImageFormat format, String what, long[] values) {
    if (values.length != RANK) {
      throw TributaryException.invalidArgument(
          "%s must have 4 values, got %s", what, Arrays.toString(values));
    }
    if (values[0] != 1 || values[format.channels()] != 1) {
      throw TributaryException.invalidArgument(
          "%s must be 1 for batch and channels, got %s in %s",
          what, Arrays.toString(values), format);
    }
  }

  static void requireImage(String what, Shape shape) {
    if (shape.rank() != RANK) {
      throw TributaryException.invalidArgument("%s must have rank 4, got shape %s", what, shape);
    }
  }

  private Window window(Shape image, int dimension, long size) {
    return Window.of(
        padding,
        image.size(dimension),
        size,
        strides[dimension],
        dilations[dimension],
        paddings[2 * dimension],
        paddings[2 * dimension + 1]);
  }

  private static long[] paddings(Attributes attributes, ImageFormat format, String padding) {
    long[] given =
        attributes.has("explicit_paddings")
            ? attributes.integers("explicit_paddings")
            : new long[0];
    if (!padding.equals("EXPLICIT")) {
      if (given.length > 0) {
        throw TributaryException.invalidArgument(
            "explicit_paddings must be empty unless padding is EXPLICIT, got %s with %s",
            Arrays.toString(given), padding);
      }
      return new long[2 * RANK];
    }
    if (given.length != 2 * RANK) {
      throw TributaryException.invalidArgument(
          "explicit_paddings must have 8 values, got %s", Arrays.toString(given));
    }
    int channels = 2 * format.channels();
    if (given[0] != 0 || given[1] != 0 || given[channels] != 0 || given[channels + 1] != 0) {
      throw TributaryException.invalidArgument(
          "explicit_paddings must be 0 for batch and channels, got %s in %s",
          Arrays.toString(given), format);
    }
    return given;
  }
}
