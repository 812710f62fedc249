package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Window;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.Shape;
import java.util.Arrays;

/**
 * The attributes of 3-D convolutions and the shapes that follow from them. Volumes are [batch,
 * depth, height, width, channels], filters [depth, height, width, channels, results]. Immutable.
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
            attributes.string("data_format"),
            attributes.string("padding"),
            attributes.integers("strides"),
            attributes.integers("dilations"));
    spec.requireSpatial("strides", spec.strides);
    spec.requireSpatial("dilations", spec.dilations);
    return spec;
  }

  private void requireSpatial(String what, long[] values) {
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
          "CPU implementation of Conv3D currently only supports the NDHWC tensor format, got %s",
          format);
    }
  }

  /** The result's shape for a volume and a filter of rank 5, whose sizes may be unknown. */
  public Shape output(Shape volume, Shape filter) {
    long own = volume.size(channels());
    if (own != Shape.UNKNOWN && filter.size(3) != Shape.UNKNOWN && own != filter.size(3)) {
      throw TributaryException.invalidArgument(
          "input depth must equal the filter's, got input %s and filter %s", volume, filter);
    }
    long[] sizes = volume.toArray();
    for (int i = 0; i < 3; i++) {
      sizes[firstSpatial() + i] = window(volume, filter, i).output();
    }
    sizes[channels()] = filter.size(4);
    return Shape.of(sizes);
  }

  /** The window over depth (0), height (1) or width (2). */
  Window window(Shape volume, Shape filter, int i) {
    int dimension = firstSpatial() + i;
    return Window.of(
        padding, volume.size(dimension), filter.size(i), strides[dimension], dilations[dimension]);
  }

  private int firstSpatial() {
    return format.equals("NDHWC") ? 1 : 2;
  }

  private int channels() {
    return format.equals("NDHWC") ? 4 : 1;
  }

  static void requireVolume(String what, Shape shape) {
    if (shape.rank() != RANK) {
      throw TributaryException.invalidArgument("%s must have rank 5, got shape %s", what, shape);
    }
  }
}
