package dev.tributary.internal.kernel.flow;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Kernels of the ops that choose, check or stand for values in and around function bodies. */
public final class FunctionValueKernels {
  private FunctionValueKernels() {}

  /** A scalar that is not 0 or empty is true, and so is anything else that has elements. */
  public static Kernel toBool(DataType type) {
    boolean convertible =
        type == DataType.STRING
            || type == DataType.BOOL
            || type.isFloating()
            || type.isComplex()
            || type.isInteger();
    if (!convertible) {
      throw notConvertible(type);
    }
    return c -> {
      Tensor input = c.input(0);
      boolean value = input.rank() > 0 ? input.elementCount() > 0 : isNotZero(input);
      c.setOutput(0, Tensor.scalar(value));
    };
  }

  private static TributaryException notConvertible(DataType type) {
    return TributaryException.invalidArgument(
        "a %s cannot be converted to a boolean", type.lowerName());
  }

  private static boolean isNotZero(Tensor scalar) {
    if (scalar.type() == DataType.STRING) {
      return !scalar.stringValue().isEmpty();
    }
    if (scalar.type().isComplex()) {
      throw notConvertible(scalar.type());
    }
    byte[] bytes = scalar.toBytes();
    if (scalar.type().isFloating()) {
      bytes[bytes.length - 1] &= 0x7f; // The sign: -0 is 0.
    }
    for (byte part : bytes) {
      if (part != 0) {
        return true;
      }
    }
    return false;
  }

  /** Something small that nobody reads. */
  public static Kernel fakeParam(KernelNode node) {
    Shape shape = node.attributes().shape("shape");
    Shape small = shape.hasRank() ? shape : Shape.scalar();
    for (int i = 0; i < small.rank(); i++) {
      small = small.size(i) == Shape.UNKNOWN ? small.withSize(i, 0) : small;
    }
    Shape known = small;
    DataType type = node.attributes().type("dtype");
    return c -> c.setOutput(0, Tensor.zeros(c.allocator(), type, known));
  }

  /** The place of the device's type in a list, or the length of the list. */
  public static Kernel deviceIndex(KernelNode node) {
    List<String> names = node.attributes().strings("device_names");
    String device = node.device().name();
    String type = device.replaceFirst(".*/device:", "").replaceFirst(":.*", "");
    int found = names.indexOf(type);
    int index = found < 0 ? names.size() : found;
    return c -> c.setOutput(0, Tensor.scalar(index));
  }

  public static Kernel ensureShape(KernelNode node) {
    Shape wanted = node.attributes().shape("shape");
    return c -> {
      if (!c.input(0).shape().isCompatibleWith(wanted)) {
        throw TributaryException.invalidArgument(
            "Shape of tensor %s is not compatible with expected shape %s.",
            c.input(0).shape(), wanted);
      }
      c.setOutput(0, c.input(0).retain());
    };
  }

  /** Gives its input to one output; an index that is out of range means the last one. */
  public static Kernel switchN(int outputs) {
    return c -> {
      Tensor index = c.input(1);
      if (index.rank() != 0) {
        throw TributaryException.invalidArgument(
            "the output index must be a scalar, but it has shape %s", index.shape());
      }
      int chosen = index.intValue();
      c.setOutput(chosen < 0 || chosen >= outputs ? outputs - 1 : chosen, c.takeInput(0));
    };
  }

  /** Gives all inputs as they are. */
  public static void passAll(KernelContext c) {
    for (int i = 0; i < c.inputCount(); i++) {
      c.setOutput(i, c.input(i).retain());
    }
  }
}
