package dev.tributary.internal.kernel.text;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.ByteArrayOutputStream;

/**
 * Joins strings along axes. Of several axes, the one that is named first moves fastest, which is
 * why the order of the axes matters.
 */
public final class ReduceJoin implements Kernel {
  private final boolean keepDims;
  private final byte[] separator;

  public ReduceJoin(KernelNode node) {
    keepDims = node.attributes().bool("keep_dims");
    separator = ElementStrings.attribute(node, "separator");
  }

  /** The shape after the axes are joined. */
  public static Shape joined(Shape shape, long[] axes, boolean keepDims) {
    boolean[] reduced = reduced(shape.rank(), axes);
    Shape result = Shape.scalar();
    for (int d = 0; d < reduced.length; d++) {
      if (!reduced[d] || keepDims) {
        result = result.concatenate(Shape.of(reduced[d] ? 1 : shape.size(d)));
      }
    }
    return result;
  }

  private static boolean[] reduced(int rank, long[] axes) {
    boolean[] reduced = new boolean[rank];
    for (long axis : axes) {
      if (axis < -rank || axis >= rank) {
        throw TributaryException.outOfRange(
            "Invalid reduction dimension %d for input with %d dimension(s)", axis, rank);
      }
      int at = (int) (axis < 0 ? axis + rank : axis);
      if (reduced[at]) {
        throw TributaryException.invalidArgument("Duplicate reduction dimension %d", axis);
      }
      reduced[at] = true;
    }
    return reduced;
  }

  @Override
  public void compute(KernelContext context) {
    Tensor input = context.input(0);
    Shape shape = input.shape();
    long[] axes = context.input(1).toIndices();
    Object[] output = context.allocateOutput(0, joined(shape, axes, keepDims)).objects();
    boolean[] reduced = reduced(shape.rank(), axes);
    int[] kept = new int[shape.rank() - axes.length];
    for (int d = 0, i = 0; d < reduced.length; d++) {
      if (!reduced[d]) {
        kept[i++] = d;
      }
    }
    int[] joined = new int[axes.length];
    long count = 1;
    for (int i = 0; i < axes.length; i++) {
      long axis = axes[axes.length - 1 - i];
      joined[i] = (int) (axis < 0 ? axis + shape.rank() : axis);
      count *= shape.size(joined[i]);
    }
    Object[] strings = input.objects();
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (int i = 0; i < output.length; i++) {
      text.reset();
      long start = offset(shape, kept, i);
      for (long j = 0; j < count; j++) {
        if (j > 0) {
          text.writeBytes(separator);
        }
        text.writeBytes((byte[]) strings[(int) (start + offset(shape, joined, j))]);
      }
      output[i] = text.toByteArray();
    }
  }

  /**
   * The position of the element with this number among those of some dimensions, the last fastest.
   */
  private static long offset(Shape shape, int[] dimensions, long number) {
    long[] strides = shape.strides();
    long offset = 0;
    long rest = number;
    for (int i = dimensions.length - 1; i >= 0; i--) {
      long size = shape.size(dimensions[i]);
      offset += rest % size * strides[dimensions[i]];
      rest /= size;
    }
    return offset;
  }
}
