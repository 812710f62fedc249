package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.array.Blocks;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.Shape;
import java.util.Arrays;

/** The window of a 3-D pooling, and the shapes that follow from it. Immutable. */
public final class VolumePoolSpec {
  private final VolumeSpec spec;
  private final long[] sizes;

  private VolumePoolSpec(VolumeSpec spec, long[] sizes) {
    this.spec = spec;
    this.sizes = sizes;
  }

  /**
   * Reads the attributes of an op.
   *
   * @param sizes the attribute that holds the sizes of the window
   */
  public static VolumePoolSpec of(Attributes attributes, String sizes) {
    VolumeSpec spec = VolumeSpec.of(attributes);
    long[] values = attributes.integers(sizes);
    spec.requireSpatial(sizes, values);
    for (long value : values) {
      if (value < 1 || value > Integer.MAX_VALUE) {
        throw TributaryException.invalidArgument(
            "%s must be positive and below 2^31, got %s", sizes, Arrays.toString(values));
      }
    }
    int first = spec.firstSpatial();
    return new VolumePoolSpec(spec, Arrays.copyOfRange(values, first, first + 3));
  }

  /** The result's shape for a volume of rank 5, whose sizes may be unknown. */
  public Shape output(Shape volume) {
    return spec.output(volume, sizes, volume.size(spec.channels()));
  }

  /** The shape of a result that has all elements under a window side by side. */
  public Shape patches(Shape volume) {
    long elements = volume.size(spec.channels());
    for (long size : sizes) {
      elements = Blocks.times(elements, size);
    }
    return spec.output(volume, sizes, elements);
  }

  /** The filter of a convolution that would give these patches, without its last two sizes. */
  public int[] window() {
    return Arrays.stream(sizes).mapToInt(Math::toIntExact).toArray();
  }

  VolumeWindows windows(Shape volume) {
    return spec.windows(volume, sizes);
  }

  void requireChannelsLast() {
    spec.requireChannelsLast();
  }
}
