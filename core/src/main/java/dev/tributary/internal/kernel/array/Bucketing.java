package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.memory.Memory;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** The kernels of Bucketize and HistogramFixedWidth, which sort numbers into ranges. */
public final class Bucketing {
  private Bucketing() {}

  /** The number of boundaries that are not above each element. */
  public static Kernel bucketize(KernelNode node) {
    requireType(node.type());
    float[] boundaries = boundaries(node.attributes().list("boundaries"));
    return context -> {
      Tensor input = context.input(0);
      Tensor output = context.allocateOutput(0, input.shape());
      for (long i = 0; i < input.elementCount(); i++) {
        Memory.putInt(
            output.storage().address() + i * Integer.BYTES, bucket(boundaries, value(input, i)));
      }
    };
  }

  private static float[] boundaries(List<AttrValue> values) {
    float[] boundaries = new float[values.size()];
    for (int i = 0; i < boundaries.length; i++) {
      boundaries[i] = ((AttrValue.Real) values.get(i)).value();
      if (i > 0 && boundaries[i] < boundaries[i - 1]) {
        throw TributaryException.invalidArgument(
            "Expected sorted boundaries, got %s after %s", boundaries[i], boundaries[i - 1]);
      }
    }
    return boundaries;
  }

  private static int bucket(float[] boundaries, double value) {
    int low = 0;
    int high = boundaries.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (value < boundaries[middle]) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /**
   * Inputs: values, their range, and the number of bins, of which the outer ones take what is out
   * of range.
   */
  public static void histogram(KernelContext context) {
    Tensor values = context.input(0);
    Tensor range = context.input(1);
    if (range.rank() != 1 || range.elementCount() != 2) {
      throw TributaryException.invalidArgument(
          "value_range should be a vector of 2 elements, got shape %s", range.shape());
    }
    IndexTensors.requireScalar(context.input(2), "nbins");
    int bins = context.input(2).getInt(0);
    double first = value(range, 0);
    double last = value(range, 1);
    if (!(first < last)) {
      throw TributaryException.invalidArgument(
          "value_range should satisfy value_range[0] < value_range[1], but got '[%s, %s]'",
          first, last);
    }
    if (bins <= 0) {
      throw TributaryException.invalidArgument(
          "nbins should be a positive number, but got '%d'", bins);
    }
    Tensor output = context.allocateOutput(0, Shape.of(bins));
    long[] counts = new long[ArrayLength.of(bins)];
    double step = (last - first) / bins;
    for (long i = 0; i < values.elementCount(); i++) {
      double place = (Math.max(value(values, i), first) - first) / step;
      counts[(int) Math.min(place, bins - 1.0)]++;
    }
    boolean narrow = output.type() == DataType.INT32;
    for (int i = 0; i < bins; i++) {
      if (narrow) {
        Memory.putInt(output.storage().address() + 4L * i, (int) counts[i]);
      } else {
        Memory.putLong(output.storage().address() + 8L * i, counts[i]);
      }
    }
  }

  public static void requireType(DataType type) {
    boolean wide = type == DataType.INT32 || type == DataType.INT64;
    if (!wide && type != DataType.FLOAT && type != DataType.DOUBLE) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: int32, int64, float, double", type.lowerName());
    }
  }

  private static double value(Tensor tensor, long i) {
    return switch (tensor.type()) {
      case FLOAT -> tensor.getFloat(i);
      case DOUBLE -> tensor.getDouble(i);
      default -> tensor.getIndex(i);
    };
  }
}
