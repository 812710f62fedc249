package dev.tributary.internal.kernel.quantize;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The kernels of the FakeQuant ops: floats rounded to the steps that a quantised type would have,
 * and their gradients. All elements share one range, or there is one for each channel, which is the
 * last dimension.
 */
public final class FakeQuantKernels {
  private FakeQuantKernels() {}

  /** The range is in attributes. */
  public static Kernel ofArgs(KernelNode node) {
    QuantRange range = attributes(node);
    return context -> {
      Tensor inputs = context.input(0);
      Tensor outputs = context.forwardOrAllocate(0, 0, inputs.shape());
      round(inputs, outputs, range);
    };
  }

  /** Inputs: gradients, and what was rounded. */
  public static Kernel gradientOfArgs(KernelNode node) {
    QuantRange range = attributes(node);
    return context -> {
      Tensor gradients = context.input(0);
      requireSame(gradients, context.input(1));
      Tensor output = context.allocateOutput(0, gradients.shape());
      pass(gradients, context.input(1), output, range);
    };
  }

  private static QuantRange attributes(KernelNode node) {
    QuantRange.Steps steps = QuantRange.Steps.of(node.attributes());
    float min = node.attributes().real("min");
    float max = node.attributes().real("max");
    if (min >= max) {
      throw TributaryException.invalidArgument(
          "min has to be smaller than max, was: %s >= %s", min, max);
    }
    return steps.nudged(min, max);
  }

  /** Inputs: values, least, greatest; all scalars or one for each channel. */
  public static Kernel ofVars(KernelNode node, boolean channels) {
    QuantRange.Steps steps = QuantRange.Steps.of(node.attributes());
    return context -> {
      Tensor inputs = context.input(0);
      QuantRange[] ranges = ranges(steps, inputs, context.input(1), context.input(2), channels);
      Tensor outputs = context.forwardOrAllocate(0, 0, inputs.shape());
      round(inputs, outputs, ranges);
    };
  }

  /** Inputs: gradients, values, least, greatest. Outputs: the gradients of the last three. */
  public static Kernel gradientOfVars(KernelNode node, boolean channels) {
    QuantRange.Steps steps = QuantRange.Steps.of(node.attributes());
    return context -> {
      Tensor gradients = context.input(0);
      Tensor inputs = context.input(1);
      requireSame(gradients, inputs);
      QuantRange[] ranges = ranges(steps, inputs, context.input(2), context.input(3), channels);
      pass(gradients, inputs, context.allocateOutput(0, inputs.shape()), ranges);
      sums(context, gradients, inputs, ranges);
    };
  }

  private static QuantRange[] ranges(
      QuantRange.Steps steps, Tensor inputs, Tensor min, Tensor max, boolean channels) {
    if (channels && inputs.rank() < 1) {
      throw TributaryException.invalidArgument("inputs must be at least 1-D, got a scalar");
    }
    Shape wanted = channels ? Shape.of(inputs.shape().size(-1)) : Shape.scalar();
    requireShape(min, wanted, "min");
    requireShape(max, wanted, "max");
    QuantRange[] ranges = new QuantRange[ArrayLength.of(min.elementCount())];
    for (int i = 0; i < ranges.length; i++) {
      ranges[i] = steps.nudged(min.getFloat(i), max.getFloat(i));
    }
    return ranges;
  }

  private static void round(Tensor inputs, Tensor outputs, QuantRange... ranges) {
    long from = inputs.storage().address();
    long to = outputs.storage().address();
    int channel = 0;
    for (long i = 0; i < inputs.elementCount(); i++) {
      float value = Memory.getFloat(from + i * Float.BYTES);
      Memory.putFloat(to + i * Float.BYTES, ranges[channel].round(value));
      channel = channel + 1 == ranges.length ? 0 : channel + 1;
    }
  }

  /** Lets gradients through where the value was in range. */
  private static void pass(Tensor gradients, Tensor inputs, Tensor output, QuantRange... ranges) {
    long to = output.storage().address();
    int channel = 0;
    for (long i = 0; i < inputs.elementCount(); i++) {
      boolean through = ranges[channel].has(inputs.getFloat(i));
      Memory.putFloat(to + i * Float.BYTES, through ? gradients.getFloat(i) : 0);
      channel = channel + 1 == ranges.length ? 0 : channel + 1;
    }
  }

  /** Sums the gradients of the values below and above the range, by channel. */
  private static void sums(
      KernelContext context, Tensor gradients, Tensor inputs, QuantRange... ranges) {
    double[] below = new double[ranges.length];
    double[] above = new double[ranges.length];
    int channel = 0;
    for (long i = 0; i < inputs.elementCount(); i++) {
      float value = inputs.getFloat(i);
      below[channel] += ranges[channel].isBelow(value) ? gradients.getFloat(i) : 0;
      above[channel] += ranges[channel].isAbove(value) ? gradients.getFloat(i) : 0;
      channel = channel + 1 == ranges.length ? 0 : channel + 1;
    }
    write(context.allocateOutput(1, context.input(2).shape()), below);
    write(context.allocateOutput(2, context.input(3).shape()), above);
  }

  private static void write(Tensor target, double[] values) {
    for (int i = 0; i < values.length; i++) {
      Memory.putFloat(target.storage().address() + (long) i * Float.BYTES, (float) values[i]);
    }
  }

  private static void requireSame(Tensor gradients, Tensor inputs) {
    if (!gradients.shape().equals(inputs.shape())) {
      throw TributaryException.invalidArgument(
          "gradient and input must be the same size, got %s and %s",
          gradients.shape(), inputs.shape());
    }
  }

  private static void requireShape(Tensor tensor, Shape wanted, String what) {
    if (wanted.isScalar()) {
      IndexTensors.requireScalar(tensor, what);
    } else if (!tensor.shape().equals(wanted)) {
      throw TributaryException.invalidArgument(
          "%s has incorrect size, expected %s was %s", what, wanted, tensor.shape());
    }
  }
}
