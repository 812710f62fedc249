package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ConvGeometry;
import dev.tributary.internal.kernel.Window;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.Shape;

/** The attributes of a 2-D convolution, and the shapes that follow from them. Immutable. */
public final class ConvSpec {
  private final WindowSpec windows;
  private final boolean depthwise;

  private ConvSpec(WindowSpec windows, boolean depthwise) {
    this.windows = windows;
    this.depthwise = depthwise;
  }

  /** Of Conv2D and its gradients. */
  public static ConvSpec of(Attributes attributes) {
    return new ConvSpec(WindowSpec.of(attributes), false);
  }

  /**
   * Of DepthwiseConv2dNative and its gradients, whose filter is [height, width, channels,
   * multiplier].
   */
  public static ConvSpec depthwise(Attributes attributes) {
    return new ConvSpec(WindowSpec.of(attributes), true);
  }

  /** The result's shape for an image and a filter of rank 4, whose sizes may be unknown. */
  public Shape output(Shape image, Shape filter) {
    requireDepth(image.size(windows.format().channels()), filter.size(2));
    Window height = windows.height(image, filter.size(0));
    Window width = windows.width(image, filter.size(1));
    return windows.image(image.size(0), height.output(), width.output(), outputChannels(filter));
  }

  /** All sizes of a convolution of these fully known shapes. */
  ConvGeometry geometry(Shape image, Shape filter) {
    WindowSpec.requireImage("input", image);
    WindowSpec.requireImage("filter", filter);
    long channels = image.size(windows.format().channels());
    requireDepth(channels, filter.size(2));
    Window height = windows.height(image, filter.size(0));
    Window width = windows.width(image, filter.size(1));
    return depthwise
        ? ConvGeometry.depthwise(
            windows.format(), image.size(0), channels, filter.size(3), height, width)
        : new ConvGeometry(
            windows.format(),
            image.size(0),
            channels,
            filter.size(2),
            filter.size(3),
            height,
            width);
  }

  /**
   * The image's shape from the sizes that a gradient op is given: all four, or height and width
   * only.
   */
  public Shape image(Shape sizes, Shape filter, Shape outputGradient) {
    if (sizes.rank() != 2) {
      return sizes;
    }
    return windows.image(outputGradient.size(0), sizes.size(0), sizes.size(1), filter.size(2));
  }

  private long outputChannels(Shape filter) {
    if (!depthwise) {
      return filter.size(3);
    }
    boolean known = filter.size(2) != Shape.UNKNOWN && filter.size(3) != Shape.UNKNOWN;
    return known ? filter.size(2) * filter.size(3) : Shape.UNKNOWN;
  }

  private void requireDepth(long image, long filter) {
    if (image == Shape.UNKNOWN || filter == Shape.UNKNOWN) {
      return;
    }
    if (depthwise && image != filter) {
      throw TributaryException.invalidArgument(
          "input depth %d must equal filter depth %d", image, filter);
    }
    if (filter == 0 || image % filter != 0) {
      throw TributaryException.invalidArgument(
          "input depth %d must be a multiple of filter depth %d", image, filter);
    }
  }
}
