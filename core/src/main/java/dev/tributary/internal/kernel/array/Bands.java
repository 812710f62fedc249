package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.tensor.Tensor;

/** The kernel of MatrixBandPart: matrices with zeros outside of a band around the diagonal. */
public final class Bands {
  private Bands() {}

  public static void bandPart(KernelContext context) {
    Tensor input = context.input(0);
    if (input.rank() < 2) {
      throw TributaryException.invalidArgument(
          "input must be at least 2-dim, received shape: %s", input.shape());
    }
    long rows = input.shape().size(-2);
    long columns = input.shape().size(-1);
    long lower = width(context.input(1), rows, "num_lower");
    long upper = width(context.input(2), columns, "num_upper");
    Tensor output = context.allocateOutput(0, input.shape());
    Fill.zeros(output);
    long all = columns == 0 ? 0 : input.elementCount() / columns;
    for (long row = 0; row < all; row++) {
      long i = row % rows;
      long begin = lower < 0 ? 0 : Math.min(columns, Math.max(0, i - lower));
      long end = upper < 0 ? columns : Math.min(columns, i + upper + 1);
      if (begin < end) {
        long at = row * columns + begin;
        Moves.rows(1, end - begin, input, at, 0, output, at, 0);
      }
    }
  }

  /** The number of diagonals on one side; negative for all of them. */
  private static long width(Tensor tensor, long limit, String what) {
    IndexTensors.requireScalar(tensor, what);
    long width = tensor.getIndex(0);
    if (width > limit) {
      throw TributaryException.invalidArgument(
          "%s must be negative or less or equal to %d, got: %d", what, limit, width);
    }
    return width;
  }
}
