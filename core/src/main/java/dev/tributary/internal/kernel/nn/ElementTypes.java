package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.tensor.DataType;

/** Checks of the element types that kernels take, done when a kernel is made. */
public final class ElementTypes {
  private ElementTypes() {}

  /** A kernel for float and double only, whose node's type is attribute {@code T}. */
  public static KernelFactory real(Kernel kernel) {
    return node -> {
      requireReal(node.type());
      return kernel;
    };
  }

  public static void requireReal(DataType type) {
    if (!isReal(type)) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: float, double", type.lowerName());
    }
  }

  public static void requireOrdered(DataType type) {
    if (!isReal(type) && !type.isInteger()) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: float, double, int32, int64, int16, int8, uint8",
          type.lowerName());
    }
  }

  static boolean isReal(DataType type) {
    return type == DataType.FLOAT || type == DataType.DOUBLE;
  }
}
