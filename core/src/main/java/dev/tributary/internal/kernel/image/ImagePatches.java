package dev.tributary.internal.kernel.image;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.Window;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.RowMove;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/**
 * The patches of ExtractImagePatches: the pixels below each position of a window, one behind the
 * other in the last dimension. Immutable.
 */
public final class ImagePatches {
  private static final int RANK = 4;

  private final long[] sizes;
  private final long[] strides;
  private final long[] rates;
  private final String padding;

  private ImagePatches(Attributes attributes) {
    this.sizes = spatial(attributes, "ksizes");
    this.strides = spatial(attributes, "strides");
    this.rates = spatial(attributes, "rates");
    this.padding = attributes.string("padding");
  }

  public static ImagePatches of(Attributes attributes) {
    return new ImagePatches(attributes);
  }

  public static Kernel kernel(KernelNode node) {
    return of(node.attributes())::compute;
  }

  /** The shape of the patches of images, whose sizes may be unknown. */
  public Shape output(Shape images) {
    long channels = images.size(3);
    return Shape.of(
        images.size(0),
        window(images, 1).output(),
        window(images, 2).output(),
        channels == Shape.UNKNOWN ? channels : depth(channels));
  }

  private long depth(long channels) {
    try {
      return Math.multiplyExact(Math.multiplyExact(sizes[1], sizes[2]), channels);
    } catch (ArithmeticException e) {
      throw new TributaryException(
          ErrorCode.INVALID_ARGUMENT,
          "patches of " + Arrays.toString(sizes) + " with " + channels + " channels are too large",
          e);
    }
  }

  private void compute(KernelContext context) {
    Tensor images = context.input(0);
    Shape shape = images.shape();
    if (shape.rank() != RANK) {
      throw TributaryException.invalidArgument("images must be 4-dimensional, got shape %s", shape);
    }
    Tensor output = context.allocateOutput(0, output(shape));
    Fill.zeros(output);
    if (output.elementCount() > 0 && images.elementCount() > 0) {
      extract(images, output);
    }
  }

  private void extract(Tensor images, Tensor output) {
    Shape from = images.shape();
    Window rows = window(from, 1);
    Window columns = window(from, 2);
    RowMove pixels = new RowMove(images, output, from.size(3));
    long to = 0;
    for (long b = 0; b < from.size(0); b++) {
      for (long i = 0; i < rows.output(); i++) {
        for (long j = 0; j < columns.output(); j++) {
          for (long y = 0; y < rows.size(); y++) {
            long row = rows.start(i) + y * rows.dilation();
            for (long x = 0; x < columns.size(); x++, to++) {
              long column = columns.start(j) + x * columns.dilation();
              if (isInside(row, from.size(1)) && isInside(column, from.size(2))) {
                pixels.move((b * from.size(1) + row) * from.size(2) + column, to);
              }
            }
          }
        }
      }
    }
  }

  private static boolean isInside(long place, long size) {
    return place >= 0 && place < size;
  }

  private Window window(Shape images, int dimension) {
    return Window.of(
        padding, images.size(dimension), sizes[dimension], strides[dimension], rates[dimension]);
  }

  private static long[] spatial(Attributes attributes, String name) {
    long[] values = attributes.integers(name);
    if (values.length != RANK) {
      throw TributaryException.invalidArgument(
          "%s must have 4 values, got %s", name, Arrays.toString(values));
    }
    if (values[0] != 1 || values[3] != 1) {
      throw TributaryException.unimplemented(
          "%s must be 1 for batch and channels, got %s", name, Arrays.toString(values));
    }
    for (long value : values) {
      if (value < 1 || value > Integer.MAX_VALUE) {
        throw TributaryException.outOfRange(
            "%s must be positive and fit into 32 bits, got %s", name, Arrays.toString(values));
      }
    }
    return values;
  }
}
