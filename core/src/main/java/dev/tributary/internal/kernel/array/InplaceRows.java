package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Replaces rows of the first input, or adds to or subtracts from them: the second input names the
 * rows, counted from the end if negative, and the third has the values.
 */
public enum InplaceRows implements Kernel {
  UPDATE {
    @Override
    void change(Tensor result, long row, Tensor values, long number, long length) {
      Moves.run(values, number * length, result, row * length, length);
    }
  },

  ADD {
    @Override
    void change(Tensor result, long row, Tensor values, long number, long length) {
      add(result, row, values, number, length, 1);
    }
  },

  SUBTRACT {
    @Override
    void change(Tensor result, long row, Tensor values, long number, long length) {
      add(result, row, values, number, length, -1);
    }
  };

  /** Replaces the row that attribute {@code loc} names: the second input has it as its only row. */
  public static Kernel updateAt(KernelNode node) {
    long row = node.attributes().integer("loc");
    return context -> {
      Tensor x = context.input(0);
      Tensor values = context.input(1);
      Shape wanted = x.rank() == 0 ? x.shape() : x.shape().withSize(0, 1);
      if (x.rank() == 0 || !values.shape().equals(wanted) || x.shape().size(0) == 0) {
        throw TributaryException.invalidArgument(
            "value of shape %s needs an update of shape %s, got %s",
            x.shape(), wanted, values.shape());
      }
      Tensor result = copy(context, x);
      long length = values.elementCount();
      Moves.run(values, 0, result, Math.floorMod(row, x.shape().size(0)) * length, length);
    };
  }

  /** The first input as the output, to change it in place. */
  private static Tensor copy(KernelContext context, Tensor x) {
    Tensor result = context.forwardOrAllocate(0, 0, x.shape());
    if (result.storage() != x.storage()) {
      Moves.run(x, 0, result, 0, x.elementCount());
    }
    return result;
  }

  abstract void change(Tensor result, long row, Tensor values, long number, long length);

  @Override
  public void compute(KernelContext context) {
    Tensor x = context.input(0);
    long[] rows = IndexTensors.vector(context.input(1), "i");
    Tensor values = context.input(2);
    Shape wanted = x.rank() == 0 ? x.shape() : x.shape().withSize(0, rows.length);
    if (x.rank() == 0 || !values.shape().equals(wanted)) {
      throw TributaryException.invalidArgument(
          "x, i and v do not match: x has shape %s and i %d elements, so v must have shape %s, got"
              + " %s",
          x.shape(), rows.length, wanted, values.shape());
    }
    long count = x.shape().size(0);
    if (count == 0 && rows.length > 0) {
      throw TributaryException.invalidArgument("i names rows, but x has none: shape %s", x.shape());
    }
    Tensor result = copy(context, x);
    for (int i = 0; i < rows.length; i++) {
      change(result, Math.floorMod(rows[i], count), values, i, values.elementCount() / rows.length);
    }
  }

  private static void add(
      Tensor result, long row, Tensor values, long number, long length, int sign) {
    for (long i = 0; i < length; i++) {
      long to = row * length + i;
      long from = number * length + i;
      if (result.type().isFloating()) {
        Reals.put(result, to, Reals.at(result, to) + sign * Reals.at(values, from));
      } else {
        long sum = IndexTensors.at(result, to) + sign * IndexTensors.at(values, from);
        IndexTensors.put(result, to, sum);
      }
    }
  }
}
