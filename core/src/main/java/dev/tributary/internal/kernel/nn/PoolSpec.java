package dev.tributary.internal.kernel.nn;

import dev.tributary.internal.kernel.PoolGeometry;
import dev.tributary.internal.kernel.Window;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.Shape;

/** The window of a 2-D pooling, and the shapes that follow from it. Immutable. */
public final class PoolSpec {
  private final WindowSpec windows;
  private final long[] sizes;

  private PoolSpec(WindowSpec windows, long[] sizes) {
    WindowSpec.requireSpatial(windows.format(), "ksize", sizes);
    windows.requirePaddingBelow(sizes);
    this.windows = windows;
    this.sizes = sizes;
  }

  public static PoolSpec of(Attributes attributes) {
    return new PoolSpec(WindowSpec.of(attributes), attributes.integers("ksize"));
  }

  /** Of the ops that take window sizes and strides as inputs. */
  public static PoolSpec of(Attributes attributes, long[] sizes, long[] strides) {
    return new PoolSpec(WindowSpec.of(attributes, strides), sizes);
  }

  /** The result's shape for an image of rank 4, whose sizes may be unknown. */
  public Shape output(Shape image) {
    return windows.image(
        image.size(0),
        height(image).output(),
        width(image).output(),
        image.size(windows.format().channels()));
  }

  PoolGeometry geometry(Shape image) {
    WindowSpec.requireImage("input", image);
    long channels = image.size(windows.format().channels());
    return new PoolGeometry(windows.format(), image.size(0), channels, height(image), width(image));
  }

  private Window height(Shape image) {
    return windows.height(image, sizes[windows.format().height()]);
  }

  private Window width(Shape image) {
    return windows.width(image, sizes[windows.format().width()]);
  }
}
