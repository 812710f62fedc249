package dev.tributary.internal.kernel.ragged;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** The kernel of RaggedRange: rows of numbers from a start to a limit. */
public final class RaggedRange {
  private RaggedRange() {}

  public static void compute(KernelContext context) {
    long rows = -1;
    for (int i = 0; i < 3; i++) {
      Shape shape = context.input(i).shape();
      if (shape.rank() > 1 || shape.rank() == 1 && rows >= 0 && rows != shape.size(0)) {
        throw TributaryException.invalidArgument(
            "starts, limits, and deltas must be scalars or vectors of the same size, got shape %s",
            shape);
      }
      rows = shape.rank() == 1 ? shape.size(0) : rows;
    }
    long[] splits = new long[ArrayLength.of((rows < 0 ? 1 : rows) + 1)];
    for (int row = 0; row + 1 < splits.length; row++) {
      splits[row + 1] = ArrayLength.of(splits[row] + count(context, row));
    }
    IndexTensors.setVector(context, 0, splits);
    Tensor values = context.allocateOutput(1, Shape.of(splits[splits.length - 1]));
    for (int row = 0; row + 1 < splits.length; row++) {
      fill(context, row, values, splits[row], splits[row + 1]);
    }
  }

  private static int place(Tensor input, int row) {
    return input.rank() == 0 ? 0 : row;
  }

  private static double real(KernelContext context, int input, int row) {
    return Reals.at(context.input(input), place(context.input(input), row));
  }

  private static long whole(KernelContext context, int input, int row) {
    return IndexTensors.at(context.input(input), place(context.input(input), row));
  }

  private static long count(KernelContext context, int row) {
    if (context.input(0).type().isFloating()) {
      double start = real(context, 0, row);
      double limit = real(context, 1, row);
      double delta = requireStep(real(context, 2, row));
      boolean away = delta > 0 ? limit < start : limit > start;
      double count = away ? 0 : Math.ceil(Math.abs((limit - start) / delta));
      if (!(count <= Long.MAX_VALUE)) {
        throw TributaryException.invalidArgument(
            "Requires ((limit - start) / delta) <= %d, got %s", Long.MAX_VALUE, count);
      }
      return ArrayLength.of((long) count);
    }
    long start = whole(context, 0, row);
    long limit = whole(context, 1, row);
    long delta = whole(context, 2, row);
    requireStep(delta);
    if (delta > 0 ? limit <= start : limit >= start) {
      return 0;
    }
    // The distance may be too large for a signed number.
    long distance = delta > 0 ? limit - start : start - limit;
    long step = Math.abs(delta);
    long count = Long.divideUnsigned(distance - 1, step) + 1;
    return ArrayLength.of(count < 0 ? Long.MAX_VALUE : count);
  }

  private static double requireStep(double delta) {
    if (delta == 0) {
      throw TributaryException.invalidArgument("Requires delta != 0");
    }
    return delta;
  }

  private static void fill(KernelContext context, int row, Tensor values, long from, long to) {
    if (values.type().isFloating()) {
      double delta = real(context, 2, row);
      for (long i = from; i < to; i++) {
        // Rounded after each step, as a sum in the values' own type is.
        double value = i == from ? real(context, 0, row) : Reals.at(values, i - 1) + delta;
        Reals.put(values, i, value);
      }
      return;
    }
    long start = whole(context, 0, row);
    long delta = whole(context, 2, row);
    for (long i = from; i < to; i++) {
      IndexTensors.put(values, i, start + (i - from) * delta);
    }
  }
}
