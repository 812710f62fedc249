package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.function.Function;

/**
 * The kernels of MirrorPad and its gradient. Both go dimension by dimension and see the tensor as
 * outer x size x inner: a row of the border is copied from, or added to, the row that it mirrors.
 */
public final class Mirroring {
  private Mirroring() {}

  /**
   * The action for a row of the border and the row that it mirrors; both count rows of the
   * dimension at hand.
   */
  private interface RowPair {
    void accept(long border, long mirrored);
  }

  /** Returns how far the mirror is from the edge: REFLECT leaves the edge itself out. */
  public static int distance(String mode) {
    return mode.equals("REFLECT") ? 1 : 0;
  }

  public static void pad(KernelContext context, int distance) {
    Tensor input = context.input(0);
    pad(input, context.input(1), distance, shape -> context.allocateOutput(0, shape));
  }

  /** Pads a tensor that is no input of the call, into one for the caller to close. */
  public static Tensor padded(KernelContext context, Tensor input, Tensor paddings, int distance) {
    return pad(input, paddings, distance, shape -> context.allocate(input.type(), shape));
  }

  private static Tensor pad(
      Tensor input, Tensor paddings, int distance, Function<Shape, Tensor> allocate) {
    Padding padding = Padding.of(paddings, input.rank());
    requireFits(padding, input.shape(), distance);
    Tensor output = allocate.apply(padding.padded(input.shape()));
    padding.putInside(input, output);
    // From the inside out: rows of a later dimension must be complete before an earlier one copies
    // them.
    for (int axis = input.rank() - 1; axis >= 0; axis--) {
      long inner = Axes.inner(output.shape(), axis);
      forEachPair(
          padding,
          axis,
          input.shape(),
          output.shape(),
          distance,
          (border, mirrored) ->
              Moves.rows(1, inner, output, mirrored * inner, 1, output, border * inner, 1));
    }
    return output;
  }

  public static void padGradient(KernelContext context, int distance) {
    Tensor dy = context.input(0);
    DataType type = dy.type();
    RowSum.requireType(type);
    Padding padding = Padding.of(context.input(1), dy.rank());
    Shape shape = padding.unpadded(dy.shape());
    requireFits(padding, shape, distance);
    try (Tensor folded = context.allocate(type, dy.shape())) {
      Moves.rows(1, dy.elementCount(), dy, 0, 1, folded, 0, 1);
      for (int axis = 0; axis < dy.rank(); axis++) {
        RowSum sum = new RowSum(type, Axes.inner(dy.shape(), axis));
        long address = folded.storage().address();
        forEachPair(
            padding,
            axis,
            shape,
            dy.shape(),
            distance,
            (border, mirrored) -> sum.add(address, border, address, mirrored));
      }
      padding.takeInside(folded, context.allocateOutput(0, shape));
    }
  }

  private static void forEachPair(
      Padding padding, int axis, Shape inside, Shape padded, int distance, RowPair action) {
    long outer = Axes.outer(padded, axis);
    long before = padding.before()[axis];
    long end = before + inside.size(axis);
    for (long i = 0; i < outer; i++) {
      long first = i * padded.size(axis);
      for (long k = 0; k < before; k++) {
        action.accept(first + before - 1 - k, first + before + distance + k);
      }
      for (long k = 0; k < padding.after()[axis]; k++) {
        action.accept(first + end + k, first + end - 1 - distance - k);
      }
    }
  }

  private static void requireFits(Padding padding, Shape inside, int distance) {
    for (int i = 0; i < inside.rank(); i++) {
      long most = inside.size(i) - distance;
      if (padding.before()[i] > most || padding.after()[i] > most) {
        throw TributaryException.invalidArgument(
            "paddings must be %s the dimension size: %d, %d for dimension %d of %s",
            distance == 1 ? "less than" : "no greater than",
            padding.before()[i],
            padding.after()[i],
            i,
            inside);
      }
    }
  }
}
