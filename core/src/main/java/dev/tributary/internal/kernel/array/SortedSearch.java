package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The kernels that look for places in sorted rows: LowerBound, UpperBound and
 * BoostedTreesBucketize.
 */
public final class SortedSearch {
  private SortedSearch() {}

  /** The first place of each value whose element is not less. */
  public static Kernel lowerBound(KernelNode node) {
    return kernel(node, false);
  }

  /** The first place of each value whose element is greater. */
  public static Kernel upperBound(KernelNode node) {
    return kernel(node, true);
  }

  private static Kernel kernel(KernelNode node, boolean upper) {
    DataType type = node.type();
    if (!type.isFloating() && !type.isInteger()) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: numbers", type.lowerName());
    }
    return context -> search(context, upper);
  }

  private static void search(KernelContext context, boolean upper) {
    Tensor sorted = context.input(0);
    Tensor values = context.input(1);
    if (sorted.rank() != 2 || values.rank() != 2) {
      throw TributaryException.invalidArgument(
          "sorted input argument must be a matrix, and values too, got shapes %s and %s",
          sorted.shape(), values.shape());
    }
    if (sorted.shape().size(0) != values.shape().size(0)) {
      throw TributaryException.invalidArgument(
          "Leading dim_size of both tensors must match, got shapes %s and %s",
          sorted.shape(), values.shape());
    }
    Tensor places = context.allocateOutput(0, values.shape());
    boolean narrow = places.type() == DataType.INT32;
    int width = ArrayLength.of(sorted.shape().size(1));
    long inRow = values.shape().size(1);
    boolean floating = sorted.type().isFloating();
    double[] reals = floating ? Reals.all(sorted) : new double[0];
    double[] wantedReals = floating ? Reals.all(values) : new double[0];
    long[] integers = floating ? new long[0] : IndexTensors.all(sorted);
    for (int i = 0; i < values.elementCount(); i++) {
      int row = (int) (i / inRow) * width;
      int place =
          floating
              ? find(reals, row, row + width, wantedReals[i], upper)
              : find(integers, row, row + width, IndexTensors.at(values, i), upper);
      long address = places.storage().address() + (long) i * places.type().size();
      if (narrow) {
        Memory.putInt(address, place - row);
      } else {
        Memory.putLong(address, place - row);
      }
    }
  }

  private static int find(double[] sorted, int from, int to, double value, boolean upper) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = low + high >>> 1;
      boolean before = upper ? !(value < sorted[middle]) : sorted[middle] < value;
      low = before ? middle + 1 : low;
      high = before ? high : middle;
    }
    return low;
  }

  private static int find(long[] sorted, int from, int to, long value, boolean upper) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = low + high >>> 1;
      boolean before = upper ? sorted[middle] <= value : sorted[middle] < value;
      low = before ? middle + 1 : low;
      high = before ? high : middle;
    }
    return low;
  }

  /** The bucket of each value of each feature; beyond the last boundary, the last bucket. */
  public static void bucketize(KernelContext context) {
    int features = context.inputCount() / 2;
    for (int f = 0; f < features; f++) {
      Tensor values = context.input(f);
      Tensor boundaries = context.input(features + f);
      if (boundaries.rank() != 1) {
        throw TributaryException.invalidArgument(
            "Buckets should be flat vectors, got shape %s", boundaries.shape());
      }
      if (values.rank() != 1) {
        throw TributaryException.invalidArgument(
            "float_values should be flat vectors, got shape %s", values.shape());
      }
      double[] sorted = Reals.all(boundaries);
      double[] wanted = Reals.all(values);
      Shape shape = Shape.of(wanted.length);
      long at = context.allocateOutput(f, shape).storage().address();
      for (int i = 0; i < wanted.length; i++) {
        int bucket = find(sorted, 0, sorted.length, wanted[i], false);
        Memory.putInt(at + 4L * i, Math.max(0, Math.min(bucket, sorted.length - 1)));
      }
    }
  }
}
