package dev.tributary.internal.kernel.quantize;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Axes;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.function.ToIntFunction;

/**
 * The kernels of the QuantizeAndDequantize ops: real numbers as they are after they were quantised
 * and made real again. There is one range for all elements, or one for each slice along an axis.
 * Computed in the element type, as TensorFlow does.
 */
public final class RoundTripKernels {
  private final boolean signed;
  private final boolean narrow;
  private final boolean given;
  private final boolean halfUp;
  private final int axis;
  private final RealElements elements;

  private RoundTripKernels(KernelNode node) {
    Attributes attributes = node.attributes();
    this.signed = attributes.bool("signed_input");
    this.given = attributes.bool("range_given");
    this.narrow = attributes.has("narrow_range") && attributes.bool("narrow_range");
    this.halfUp = attributes.has("round_mode") && attributes.string("round_mode").equals("HALF_UP");
    this.axis = attributes.has("axis") ? attributes.int32("axis") : -1;
    this.elements = RealElements.of(node.type());
    if (axis < -1) {
      throw TributaryException.invalidArgument("axis must be at least -1, got %d", axis);
    }
  }

  /** The number of bits and the range are in attributes. */
  public static Kernel ofAttributes(KernelNode node) {
    RoundTripKernels kernel = new RoundTripKernels(node);
    int bits = kernel.requireBits(node.attributes().int32("num_bits"));
    double min = node.attributes().real("input_min");
    double max = node.attributes().real("input_max");
    if (kernel.given) {
      requireOrder(min, max);
    }
    return context -> kernel.run(context, bits, (tensor, slice) -> min, (tensor, slice) -> max);
  }

  /** Inputs: values, least, greatest. The number of bits is an attribute. */
  public static Kernel ofRange(KernelNode node) {
    int bits = node.attributes().int32("num_bits");
    new RoundTripKernels(node).requireBits(bits);
    return ofRange(node, context -> bits);
  }

  /** Inputs: values, least, greatest, number of bits. */
  public static Kernel ofRangeAndBits(KernelNode node) {
    return ofRange(node, context -> (int) IndexTensors.scalar(context.input(3), "num_bits"));
  }

  private static Kernel ofRange(KernelNode node, ToIntFunction<KernelContext> bits) {
    RoundTripKernels kernel = new RoundTripKernels(node);
    return context -> {
      if (kernel.given) {
        kernel.requireRanges(context.input(0).shape(), context.input(1), context.input(2));
      }
      kernel.run(
          context,
          kernel.requireBits(bits.applyAsInt(context)),
          (c, slice) -> Reals.at(c.input(1), slice),
          (c, slice) -> Reals.at(c.input(2), slice));
    };
  }

  /** Inputs: gradient, values, least, greatest. Outputs: the gradients of the last three. */
  public static Kernel gradient(KernelNode node) {
    RealElements.of(node.type());
    int axis = node.attributes().int32("axis");
    return context -> {
      Tensor gradient = context.input(0);
      Tensor input = context.input(1);
      Tensor min = context.input(2);
      Tensor max = context.input(3);
      if (!gradient.shape().equals(input.shape())) {
        throw TributaryException.invalidArgument(
            "gradient and input must be the same size, got %s and %s",
            gradient.shape(), input.shape());
      }
      requireRanges(axis, input.shape(), min, max);
      Tensor output = context.allocateOutput(0, input.shape());
      Fill.zeros(context.allocateOutput(1, min.shape()));
      Fill.zeros(context.allocateOutput(2, max.shape()));
      long inner = axis < 0 ? 1 : Axes.inner(input.shape(), axis);
      for (long i = 0; i < input.elementCount(); i++) {
        long slice = axis < 0 ? 0 : i / inner % min.elementCount();
        double value = Reals.at(input, i);
        boolean inside = value >= Reals.at(min, slice) && value <= Reals.at(max, slice);
        Reals.put(output, i, inside ? Reals.at(gradient, i) : 0);
      }
    };
  }

  /** An end of the range of a slice. */
  @FunctionalInterface
  private interface End {
    double at(KernelContext context, long slice);
  }

  private void run(KernelContext context, int bits, End min, End max) {
    Tensor input = context.input(0);
    requireAxis(axis, input.shape());
    Tensor output = context.allocateOutput(0, input.shape());
    long slices = axis < 0 ? 1 : input.shape().size(axis);
    long inner = axis < 0 ? input.elementCount() : Axes.inner(input.shape(), axis);
    long outer = axis < 0 ? 1 : Axes.outer(input.shape(), axis);
    for (long slice = 0; slice < slices; slice++) {
      double[] range =
          given
              ? new double[] {min.at(context, slice), max.at(context, slice)}
              : ends(input, slice, slices, inner, outer);
      Scale scale = scale(elements.round(range[0]), elements.round(range[1]), bits);
      for (long i = 0; i < outer; i++) {
        long first = (i * slices + slice) * inner;
        for (long at = first; at < first + inner; at++) {
          Reals.put(output, at, roundTrip(Reals.at(input, at), scale));
        }
      }
    }
  }

  private static double[] ends(Tensor input, long slice, long slices, long inner, long outer) {
    double[] ends = {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
    for (long i = 0; i < outer; i++) {
      long first = (i * slices + slice) * inner;
      for (long at = first; at < first + inner; at++) {
        ends[0] = Math.min(ends[0], Reals.at(input, at));
        ends[1] = Math.max(ends[1], Reals.at(input, at));
      }
    }
    return ends;
  }

  /** The real numbers of the first and the last step, and the steps in one. */
  private record Scale(double min, double max, double steps, double step) {}

  private Scale scale(double min, double max, int bits) {
    double first = elements.round(signed ? -(double) (1L << bits - 1) + (narrow ? 1 : 0) : 0);
    double last = elements.round((1L << (signed ? bits - 1 : bits)) - 1);
    double below = first * min > 0 ? elements.round(first / min) : Double.MAX_VALUE;
    double above = last * max > 0 ? elements.round(last / max) : Double.MAX_VALUE;
    if (below < above) {
      double step = elements.round(min / first);
      return new Scale(min, elements.round(last * step), below, step);
    }
    double step = elements.round(max / last);
    return new Scale(elements.round(first * step), max, elements.round(above), step);
  }

  private double roundTrip(double value, Scale scale) {
    double clamped = given ? Math.max(Math.min(value, scale.max), scale.min) : value;
    double steps = elements.round(clamped * scale.steps);
    double whole = halfUp ? Math.floor(elements.round(steps + 0.5)) : Math.rint(steps);
    return whole * scale.step;
  }

  private int requireBits(int bits) {
    if (bits < 1 || bits >= (signed ? 62 : 63)) {
      throw TributaryException.invalidArgument(
          "num_bits is out of range: %d with signed_input %s", bits, signed);
    }
    return bits;
  }

  private void requireRanges(Shape input, Tensor min, Tensor max) {
    requireRanges(axis, input, min, max);
    if (axis < 0) {
      requireOrder(Reals.at(min, 0), Reals.at(max, 0));
    }
  }

  private static void requireRanges(int axis, Shape input, Tensor min, Tensor max) {
    requireAxis(axis, input);
    Shape wanted = axis < 0 ? Shape.scalar() : Shape.of(input.size(axis));
    if (!min.shape().equals(wanted) || !max.shape().equals(wanted)) {
      throw TributaryException.invalidArgument(
          "input_min and input_max must have shape %s, got %s and %s",
          wanted, min.shape(), max.shape());
    }
  }

  private static void requireAxis(int axis, Shape input) {
    if (axis >= input.rank()) {
      throw TributaryException.invalidArgument(
          "Shape must be at least rank %d but is rank %d", axis + 1, input.rank());
    }
  }

  private static void requireOrder(double min, double max) {
    if (min > max) {
      throw TributaryException.invalidArgument(
          "Invalid range: input_min %s > input_max %s", min, max);
    }
  }
}
