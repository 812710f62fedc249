package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Window;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.Shape;
import java.util.Arrays;

/**
 * The attributes of ops with windows over volumes and the shapes that follow from them. Volumes are
 * [batch, depth, height, width, channels], filters [depth, height, width, channels, results].
 * Immutable.
 */
public final class VolumeSpec {
  private static final int RANK = 5;

  private final String format;
  private final String padding;
  private final long[] strides;
  private final long[] dilations;

  private VolumeSpec(String format, String padding, long[] strides, long[] dilations) {
    this.format = format;
    this.padding = padding;
    this.strides = strides;
    this.dilations = dilations;
  }

  public static VolumeSpec of(Attributes attributes) {
    VolumeSpec spec =
        new VolumeSpec(
            attributes.has("data_format") ? attributes.string("data_format") : "NDHWC",
            attributes.string("padding"),
            attributes.integers("strides"),
            attributes.has("dilations")
                ? attributes.integers("dilations")
                : new long[] {1, 1, 1, 1, 1});
    spec.requireSpatial("strides", spec.strides);
    spec.requireSpatial("dilations", spec.dilations);
    return spec;
  }

  /** Fails unless the values for batch and channels are 1. */
  void requireSpatial(String what, long[] values) {
    if (values.length != RANK) {
      throw TributaryException.invalidArgument(
          "%s must have 5 values, got %s", what, Arrays.toString(values));
    }
    if (values[0] != 1 || values[channels()] != 1) {
      throw TributaryException.invalidArgument(
          "%s must be 1 for batch and channels, got %s in %s",
          what, Arrays.toString(values), format);
    }
  }

  /** Fails unless there is a kernel for this order of dimensions. */
  void requireChannelsLast() {
    if (!format.equals("NDHWC")) {
      throw TributaryException.invalidArgument(
          "Ops on volumes support only the NDHWC tensor format on CPU, got %s", format);
    }
  }

  /** The result's shape for a volume and a filter of rank 5, whose sizes may be unknown. */
  public Shape output(Shape volume, Shape filter) {
    long own = volume.size(channels());
    if (own != Shape.UNKNOWN && filter.size(3) != Shape.UNKNOWN && own != filter.size(3)) {
      throw TributaryException.invalidArgument(
          "input depth must equal the filter's, got input %s and filter %s", volume, filter);
    }
    return output(volume, filter.toArray(), filter.size(4));
  }

  /**
   * The result's shape for a window of these sizes over depth, height and width.
   *
   * @param results the number of channels of the result
   */
  Shape output(Shape volume, long[] window, long results) {
    long[] sizes = volume.toArray();
    for (int i = 0; i < 3; i++) {
      sizes[firstSpatial() + i] = window(volume, window[i], i).output();
    }
    sizes[channels()] = results;
    return Shape.of(sizes);
  }

  /** The windows of a volume whose sizes are known, with these sizes over its three dimensions. */
  VolumeWindows windows(Shape volume, long... sizes) {
    return new VolumeWindows(
        volume.size(0),
        window(volume, sizes[0], 0),
        window(volume, sizes[1], 1),
        window(volume, sizes[2], 2));
  }

  /** The window of {@code size} taps over depth (0), height (1) or width (2). */
  private Window window(Shape volume, long size, int i) {
    int dimension = firstSpatial() + i;
    return Window.of(
        padding, volume.size(dimension), size, strides[dimension], dilations[dimension]);
  }

  int firstSpatial() {
    return format.equals("NDHWC") ? 1 : 2;
  }

  int channels() {
    return format.equals("NDHWC") ? 4 : 1;
  }

  static void requireVolume(String what, Shape shape) {
    if (shape.rank() != RANK) {
      throw TributaryException.invalidArgument("%s must have rank 5, got shape %s", what, shape);
    }
  }
}
