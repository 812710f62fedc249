package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.internal.kernel.array.RowMove;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/** The kernels of NthElement and IsotonicRegression, which order the elements of rows. */
public final class OrderKernels {
  private OrderKernels() {}

  /** Inputs: rows, and which element of the sorted rows to take. */
  public static Kernel nth(KernelNode node) {
    boolean reverse = node.attributes().bool("reverse");
    return context -> {
      Tensor input = context.input(0);
      long n = IndexTensors.scalar(context.input(1), "n");
      if (input.rank() < 1) {
        throw TributaryException.invalidArgument("Input must be >= 1-D, got a scalar");
      }
      long columns = input.shape().size(-1);
      if (n < 0 || n >= columns) {
        throw TributaryException.invalidArgument(
            "Input must have at least n+1 columns and n must not be negative, got %d and %d",
            columns, n);
      }
      Tensor output = context.allocateOutput(0, input.shape().slice(0, input.rank() - 1));
      long[] keys = new long[ArrayLength.of(columns)];
      RowMove move = new RowMove(input, output, 1);
      for (long row = 0; row < output.elementCount(); row++) {
        for (int i = 0; i < keys.length; i++) {
          keys[i] = key(input, row * columns + i);
        }
        Arrays.sort(keys);
        long wanted = keys[(int) (reverse ? columns - 1 - n : n)];
        long at = row * columns;
        while (key(input, at) != wanted) {
          at++;
        }
        move.move(at, row);
      }
    };
  }

  private static long key(Tensor input, long i) {
    return OrderedElements.read(input.type(), input.storage().address(), i);
  }

  /**
   * Input: rows. Outputs: the closest rows that never rise, and the number of the run of equal
   * elements that each element is in.
   */
  public static Kernel isotonic(KernelNode node) {
    DataType type = node.attributes().type("output_dtype");
    DataType wanted = isotonic(node.type());
    if (type != wanted) {
      throw TributaryException.unimplemented(
          "no kernel for type %s with results of type %s; supported: %s",
          node.type().lowerName(), type.lowerName(), wanted.lowerName());
    }
    return OrderKernels::isotonic;
  }

  private static DataType isotonic(DataType type) {
    return switch (type) {
      case FLOAT, DOUBLE, HALF, BFLOAT16 -> type;
      case INT8, INT16 -> DataType.FLOAT;
      case INT32, INT64 -> DataType.DOUBLE;
      default ->
          throw TributaryException.unimplemented(
              "no kernel for type %s; supported: real numbers and signed integers",
              type.lowerName());
    };
  }

  private static void isotonic(KernelContext context) {
    Tensor input = context.input(0);
    if (input.rank() < 1) {
      throw TributaryException.invalidArgument("input must have rank 1 or more, got a scalar");
    }
    Shape shape = input.shape();
    Tensor output = context.allocateOutput(0, shape);
    Tensor runs = context.allocateOutput(1, shape);
    if (input.elementCount() == 0) {
      return;
    }
    int columns = ArrayLength.of(shape.size(-1));
    Runs pools = new Runs(columns, RealElements.of(output.type()));
    for (long first = 0; first < input.elementCount(); first += columns) {
      pools.clear();
      for (int i = 0; i < columns; i++) {
        pools.add(
            input.type().isFloating()
                ? Reals.at(input, first + i)
                : IndexTensors.at(input, first + i));
      }
      pools.write(output, runs, first);
    }
  }

  /** Neighbouring elements that share their mean, so that the means never rise. */
  private static final class Runs {
    private final RealElements elements;
    private final double[] sums;
    private final double[] means;
    private final int[] lengths;
    private int count;

    Runs(int columns, RealElements elements) {
      this.elements = elements;
      this.sums = new double[columns];
      this.means = new double[columns];
      this.lengths = new int[columns];
    }

    void clear() {
      count = 0;
    }

    void add(double value) {
      sums[count] = value;
      means[count] = value;
      lengths[count] = 1;
      count++;
      while (count > 1 && means[count - 1] > means[count - 2]) {
        int last = count - 2;
        sums[last] = elements.round(sums[last] + sums[last + 1]);
        lengths[last] += lengths[last + 1];
        means[last] = elements.round(sums[last] / elements.round(lengths[last]));
        count--;
      }
    }

    void write(Tensor output, Tensor runs, long first) {
      long at = first;
      for (int run = 0; run < count; run++) {
        for (int i = 0; i < lengths[run]; i++) {
          Reals.put(output, at, means[run]);
          Memory.putInt(runs.storage().address() + at * Integer.BYTES, run);
          at++;
        }
      }
    }
  }
}
