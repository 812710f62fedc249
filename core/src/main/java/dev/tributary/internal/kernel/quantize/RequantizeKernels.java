package dev.tributary.internal.kernel.quantize;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The kernels that bring numbers of type qint32, which products of quantised numbers are, to eight
 * bits, or find a range for that. Ranges belong to all elements or to each channel, which is the
 * last dimension.
 */
public final class RequantizeKernels {
  /** The number of binary places of the fixed-point arithmetic that TensorFlow uses for quint8. */
  private static final int PLACES = 16;

  private RequantizeKernels() {}

  /** Inputs: numbers, their least and greatest value. Outputs: least and greatest value in use. */
  public static Kernel range(KernelNode node) {
    requireWide(node.attributes().type("Tinput"));
    return context -> {
      float[] used = used(context);
      setScalar(context, 0, used[0]);
      setScalar(context, 1, used[1]);
    };
  }

  /** The inputs of {@link #range}. Outputs: numbers, their least and greatest value. */
  public static Kernel shrink(KernelNode node) {
    requireWide(node.attributes().type("Tinput"));
    requireNarrow(node.attributes().type("out_type"), false);
    return context -> {
      float[] used = used(context);
      requantize(context, used[0], used[1]);
    };
  }

  /** Inputs: numbers, their least and greatest value, the least and greatest value to have. */
  public static Kernel requantize(KernelNode node) {
    requireWide(node.attributes().type("Tinput"));
    requireNarrow(node.attributes().type("out_type"), true);
    return context -> {
      float min = scalar(context, 3, "requested_output_min");
      float max = scalar(context, 4, "requested_output_max");
      if (min > 0 || max < 0) {
        throw TributaryException.invalidArgument(
            "requested_output_min must be <= 0 and requested_output_max >= 0, got %s and %s",
            min, max);
      }
      requantize(context, min, max);
    };
  }

  /** Inputs: numbers, least and greatest value of each channel. */
  public static Kernel rangeOfChannels(KernelNode node) {
    requireWide(node.type());
    float most = node.attributes().real("clip_value_max");
    return context -> {
      Tensor input = context.input(0);
      requireChannels(input, context.input(1), context.input(2));
      if (input.elementCount() == 0) {
        throw TributaryException.invalidArgument(
            "input must not be empty, got shape %s", input.shape());
      }
      long channels = input.shape().size(-1);
      float greatest = Float.MIN_NORMAL;
      boolean negative = false;
      for (long i = 0; i < input.elementCount(); i++) {
        int number = (int) IndexTensors.at(input, i);
        negative |= number < 0;
        greatest =
            Math.max(greatest, width(context, i % channels) * (float) Math.abs(number) / 0x1p31f);
      }
      greatest = Math.min(greatest, most);
      setScalar(context, 0, negative ? -greatest : 0);
      setScalar(context, 1, greatest);
    };
  }

  /** Inputs: numbers, least and greatest value of each channel, the range to have. */
  public static Kernel requantizeChannels(KernelNode node) {
    requireWide(node.type());
    DataType narrow = node.attributes().type("out_type");
    requireNarrow(narrow, true);
    return context -> {
      Tensor input = context.input(0);
      requireChannels(input, context.input(1), context.input(2));
      float min = scalar(context, 3, "requested_output_min");
      float max = scalar(context, 4, "requested_output_max");
      if (narrow == DataType.QINT8 && min >= 0) {
        throw TributaryException.invalidArgument(
            "requested_output_min must be negative if out_type is qint8, got %s", min);
      }
      QuantizedRange numbers = QuantizedRange.of(narrow);
      Tensor output = context.allocateOutput(0, input.shape());
      long channels = input.shape().size(-1);
      float width = Math.max(Math.abs(min), Math.abs(max));
      for (long i = 0; i < input.elementCount(); i++) {
        float scale = numbers.greatest() * (width(context, i % channels) / width / 0x1p31f);
        long number = (long) Math.rint((float) IndexTensors.at(input, i) * scale);
        IndexTensors.put(output, i, numbers.clamp(number));
      }
      setScalar(context, 1, min);
      setScalar(context, 2, max);
    };
  }

  private static float[] used(KernelContext context) {
    Tensor input = context.input(0);
    QuantizedRange numbers = QuantizedRange.of(input.type());
    long least = numbers.greatest();
    long greatest = numbers.least();
    for (long i = 0; i < input.elementCount(); i++) {
      least = Math.min(least, IndexTensors.at(input, i));
      greatest = Math.max(greatest, IndexTensors.at(input, i));
    }
    float min = scalar(context, 1, "input_min");
    float max = scalar(context, 2, "input_max");
    return new float[] {
      Math.min(0, numbers.toReal(least, min, max)), numbers.toReal(greatest, min, max)
    };
  }

  private static void requantize(KernelContext context, float min, float max) {
    Tensor input = context.input(0);
    float oldMin = scalar(context, 1, "input_min");
    float oldMax = scalar(context, 2, "input_max");
    Tensor output = context.allocateOutput(0, input.shape());
    if (output.type() == DataType.QUINT8) {
      toBytes(input, oldMin, oldMax, output, min, max);
    } else {
      toSignedBytes(input, oldMin, oldMax, output, min, max);
    }
    setScalar(context, 1, min);
    setScalar(context, 2, max);
  }

  private static void toBytes(
      Tensor input, float oldMin, float oldMax, Tensor output, float min, float max) {
    float width = max - min;
    double one = 1 << PLACES;
    float steps = width == 0 ? 0 : (float) (255.0 / width);
    long scale = width == 0 ? 0 : (long) (255.0 * one * (oldMax - oldMin) / width);
    float middle = (float) ((oldMin + oldMax) / 2.0);
    long offset = (long) (middle * steps * (float) one);
    long first = width == 0 ? 0 : (long) (one * (min * 255.0) / width);
    long add = offset - first + (1L << PLACES - 1);
    for (long i = 0; i < input.elementCount(); i++) {
      long number = (IndexTensors.at(input, i) * scale >> 32) + add >> PLACES;
      IndexTensors.put(output, i, Math.max(0, Math.min(255, number)));
    }
  }

  private static void toSignedBytes(
      Tensor input, float oldMin, float oldMax, Tensor output, float min, float max) {
    QuantizedRange old = QuantizedRange.of(input.type());
    QuantizedRange numbers = QuantizedRange.of(output.type());
    float oldStep = (float) ((oldMax - oldMin) / old.width());
    float oldFirst = oldMax == oldMin ? oldMin : QuantizedRange.round(oldMin / oldStep) * oldStep;
    float shift = oldFirst - old.least() * oldStep;
    float steps = max == min ? 0 : (float) (numbers.width() / (max - min));
    float first = QuantizedRange.round(min * steps) - numbers.least();
    for (long i = 0; i < input.elementCount(); i++) {
      float real = shift + (float) IndexTensors.at(input, i) * oldStep;
      IndexTensors.put(
          output, i, numbers.clamp((long) (QuantizedRange.round(real * steps) - first)));
    }
  }

  /** The largest absolute value of a channel's range. */
  private static float width(KernelContext context, long channel) {
    return Math.max(
        Math.abs(context.input(1).getFloat(channel)), Math.abs(context.input(2).getFloat(channel)));
  }

  private static void requireChannels(Tensor input, Tensor min, Tensor max) {
    if (input.rank() != 4) {
      throw TributaryException.invalidArgument(
          "input must be in NHWC format, got shape %s", input.shape());
    }
    Shape wanted = Shape.of(input.shape().size(-1));
    if (!min.shape().equals(wanted) || !max.shape().equals(wanted)) {
      throw TributaryException.invalidArgument(
          "input_min and input_max must have shape %s, one for each channel, got %s and %s",
          wanted, min.shape(), max.shape());
    }
  }

  private static void requireWide(DataType type) {
    if (type != DataType.QINT32) {
      throw TributaryException.unimplemented(
          "no kernel for numbers of type %s; supported: qint32", type.lowerName());
    }
  }

  private static void requireNarrow(DataType type, boolean signed) {
    if (type != DataType.QUINT8 && !(signed && type == DataType.QINT8)) {
      throw TributaryException.unimplemented(
          "no kernel for results of type %s; supported: %s",
          type.lowerName(), signed ? "qint8, quint8" : "quint8");
    }
  }

  private static float scalar(KernelContext context, int i, String what) {
    if (context.input(i).elementCount() != 1) {
      throw TributaryException.invalidArgument(
          "%s must be a scalar, got shape %s", what, context.input(i).shape());
    }
    return context.input(i).getFloat(0);
  }

  private static void setScalar(KernelContext context, int i, float value) {
    Memory.putFloat(context.allocateOutput(i, Shape.scalar()).storage().address(), value);
  }
}
