package dev.tributary.internal.kernel.quantize;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.tensor.Tensor;

/**
 * The kernel of Dequantize: the real numbers that quantised elements stand for. There is one range
 * for all elements, or one for each slice along an axis. Computed in float, as TensorFlow does.
 */
public final class DequantizeKernel implements Kernel {
  /** A quantised element q stands for {@code (q + offset) * scale + shift}. */
  private record Line(float offset, float scale, float shift) {
    float at(long quantized) {
      return ((float) quantized + offset) * scale + shift;
    }
  }

  private final String mode;
  private final boolean narrow;
  private final int axis;
  private final RealElements results;
  private final long least;
  private final long greatest;

  public DequantizeKernel(KernelNode node) {
    this.mode = node.attributes().string("mode");
    this.narrow = node.attributes().bool("narrow_range");
    this.axis = node.attributes().int32("axis");
    this.results = RealElements.of(node.outputTypes().get(0));
    QuantizedRange range = QuantizedRange.of(node.type());
    this.least = range.least();
    this.greatest = range.greatest();
    if (axis < -1) {
      throw TributaryException.invalidArgument("axis must be at least -1. Found %d", axis);
    }
    if (axis >= 0 && mode.equals("MIN_FIRST")) {
      throw TributaryException.unimplemented(
          "MIN_FIRST mode is not implemented for Dequantize with axis != -1.");
    }
  }

  @Override
  public void compute(KernelContext context) {
    Tensor input = context.input(0);
    if (axis >= input.rank()) {
      throw TributaryException.invalidArgument(
          "Axis must be less than input dimension(%d), got %d", input.rank(), axis);
    }
    long slices = axis < 0 ? 1 : input.shape().size(axis);
    requireRange(context.input(1), "min_range", slices);
    requireRange(context.input(2), "max_range", slices);
    Tensor output = context.allocateOutput(0, input.shape());
    long inner =
        axis < 0
            ? input.elementCount()
            : input.shape().slice(axis + 1, input.rank()).elementCount();
    long at = 0;
    while (at < input.elementCount()) {
      long slice = at / inner % slices;
      Line line = line(context.input(1).getFloat(slice), context.input(2).getFloat(slice));
      for (long end = at + inner; at < end; at++) {
        results.put(
            output.storage().address() + at * results.size(), line.at(IndexTensors.at(input, at)));
      }
    }
  }

  private Line line(float min, float max) {
    switch (mode) {
      case "MIN_COMBINED":
        float half = least == 0 ? 0 : (greatest - least + 1) / 2f;
        return new Line(half, (max - min) / ((float) greatest - least), min);
      case "MIN_FIRST":
        double steps = greatest - least + 1.0;
        float scale = (float) ((max - min) * (steps / (steps - 1)) / steps);
        float rounded = max == min ? min : Math.round(min / scale) * scale;
        return new Line(-least, scale, rounded);
      default:
        float highest = max / greatest;
        long lowest = least + (narrow ? 1 : 0);
        return new Line(0, least == 0 ? highest : Math.max(min / lowest, highest), 0);
    }
  }

  private static void requireRange(Tensor range, String what, long slices) {
    if (range.elementCount() != slices) {
      throw TributaryException.invalidArgument(
          "%s must have %d elements, one for each range, got shape %s",
          what, slices, range.shape());
    }
  }
}
