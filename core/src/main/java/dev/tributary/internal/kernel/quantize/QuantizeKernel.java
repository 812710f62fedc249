package dev.tributary.internal.kernel.quantize;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Axes;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The kernel of QuantizeV2: floats as numbers of a quantised type, and the range that the type then
 * spans. There is one range for all elements, or one for each slice along an axis. Computed in
 * float, as TensorFlow does; but a number beyond qint32 becomes the last one.
 */
public final class QuantizeKernel implements Kernel {
  private final String mode;
  private final boolean halfToEven;
  private final int lowest;
  private final int axis;
  private final float leastWidth;
  private final QuantizedRange numbers;

  /** The range that is asked for, or the one that the type spans. */
  private record Range(float min, float max) {}

  public QuantizeKernel(KernelNode node) {
    this.mode = node.attributes().string("mode");
    this.halfToEven = node.attributes().string("round_mode").equals("HALF_TO_EVEN");
    this.axis = node.attributes().int32("axis");
    this.leastWidth = node.attributes().real("ensure_minimum_range");
    this.numbers = QuantizedRange.of(node.type());
    this.lowest = (int) numbers.least() + (node.attributes().bool("narrow_range") ? 1 : 0);
    if (axis < -1) {
      throw TributaryException.invalidArgument("axis should be at least -1, got %d", axis);
    }
    if (halfToEven && !mode.equals("SCALED")) {
      throw TributaryException.invalidArgument(
          "Round mode 'HALF_TO_EVEN' only supported for mode 'SCALED', but mode is '%s'.", mode);
    }
    if (axis >= 0 && mode.equals("MIN_FIRST")) {
      throw TributaryException.unimplemented(
          "MIN_FIRST mode is not implemented for Quantize with axis != -1.");
    }
  }

  @Override
  public void compute(KernelContext context) {
    Tensor input = context.input(0);
    if (axis >= input.rank()) {
      throw TributaryException.invalidArgument(
          "axis must be less than the rank of the input, got %d for shape %s", axis, input.shape());
    }
    long slices = axis < 0 ? 1 : input.shape().size(axis);
    Shape ranges = axis < 0 ? Shape.scalar() : Shape.of(slices);
    requireRange(context.input(1), "min_range", ranges);
    requireRange(context.input(2), "max_range", ranges);
    Tensor output = context.allocateOutput(0, input.shape());
    Tensor least = context.allocateOutput(1, ranges);
    Tensor greatest = context.allocateOutput(2, ranges);
    long inner = axis < 0 ? input.elementCount() : Axes.inner(input.shape(), axis);
    long outer = axis < 0 ? 1 : Axes.outer(input.shape(), axis);
    for (long slice = 0; slice < slices; slice++) {
      Range asked = asked(context.input(1).getFloat(slice), context.input(2).getFloat(slice));
      Range spanned = mode.equals("SCALED") ? scaled(asked) : asked;
      for (long i = 0; i < outer; i++) {
        long first = (i * slices + slice) * inner;
        for (long at = first; at < first + inner; at++) {
          IndexTensors.put(output, at, numbers.clamp(number(input.getFloat(at), spanned)));
        }
      }
      Memory.putFloat(least.storage().address() + slice * Float.BYTES, spanned.min);
      Memory.putFloat(greatest.storage().address() + slice * Float.BYTES, spanned.max);
    }
  }

  /** A range that has zero in it and is wide enough. */
  private Range asked(float min, float max) {
    if (max < min) {
      throw TributaryException.invalidArgument(
          "max_range must be larger than min_range, got %s and %s", max, min);
    }
    float width = Math.max(1, Math.max(Math.abs(min), Math.abs(max))) * leastWidth;
    float first = Math.min(0, min);
    return new Range(first, Math.max(0, Math.max(max, first + width)));
  }

  /** The range with zero at number zero that has all of another. */
  private Range scaled(Range asked) {
    float scale = scale(asked);
    return new Range(lowest / scale, (int) numbers.greatest() / scale);
  }

  private float scale(Range asked) {
    int highest = (int) numbers.greatest();
    float below = lowest * asked.min > 0 ? lowest / asked.min : Float.MAX_VALUE;
    float above = highest * asked.max > 0 ? highest / asked.max : Float.MAX_VALUE;
    return Math.min(below, above);
  }

  private long number(float value, Range range) {
    float clamped = Math.max(Math.min(value, range.max), range.min);
    switch (mode) {
      case "MIN_COMBINED":
        float steps = (float) (numbers.width() / (range.max - range.min));
        float up = (clamped - range.min) * steps;
        return numbers.isSigned()
            ? (long) QuantizedRange.round(up - (float) (numbers.width() + 1) / 2)
            : (long) (up + 0.5f);
      case "MIN_FIRST":
        float scale = (float) (numbers.width() / (range.max - range.min));
        float first = QuantizedRange.round(range.min * scale) - numbers.least();
        return (long) (QuantizedRange.round(value * scale) - first);
      default:
        float scaled = clamped * scale(range);
        return (long) (halfToEven ? Math.rint(scaled) : QuantizedRange.round(scaled));
    }
  }

  private static void requireRange(Tensor range, String what, Shape wanted) {
    if (range.elementCount() != wanted.elementCount() || range.rank() > 1) {
      throw TributaryException.invalidArgument(
          "%s must have shape %s, got %s", what, wanted, range.shape());
    }
  }
}
