package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.CastLoop;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;

/**
 * Converts elements to another type, as C++ does. Real numbers are rounded to the nearest, or
 * towards zero where the node says so.
 */
public final class CastKernel implements Kernel {
  private final DataType from;
  private final DataType to;
  private final int cutBits;

  public CastKernel(KernelNode node) {
    this.from = node.attributes().type("SrcT");
    this.to = node.attributes().type("DstT");
    if (from != to && !(isNumeric(from) && isNumeric(to))) {
      throw TributaryException.unimplemented(
          "cast of %s to %s is not supported", from.lowerName(), to.lowerName());
    }
    boolean truncates =
        node.attributes().bool("Truncate")
            && from.isFloating()
            && to.isFloating()
            && from.size() > 2;
    this.cutBits = truncates ? Math.max(0, mantissaBits(from) - mantissaBits(to)) : 0;
  }

  @Override
  public void compute(KernelContext context) {
    Tensor x = context.input(0);
    if (from == to) {
      context.setOutput(0, x.retain());
    } else if (cutBits > 0) {
      try (Tensor cut = cut(context, x)) {
        Tensor y = context.allocateOutput(0, x.shape());
        CastLoop.run(from, cut.storage().address(), to, y.storage().address(), x.elementCount());
      }
    } else {
      Tensor y = context.allocateOutput(0, x.shape());
      CastLoop.run(from, x.storage().address(), to, y.storage().address(), x.elementCount());
    }
  }

  /** A copy without the digits that the other type cannot hold. */
  private Tensor cut(KernelContext context, Tensor x) {
    Tensor copy = context.allocate(from, x.shape());
    for (long i = 0; i < x.elementCount(); i++) {
      if (from == DataType.DOUBLE) {
        Memory.putLong(
            copy.storage().address() + 8 * i,
            Memory.getLong(x.storage().address() + 8 * i) & -1L << cutBits);
      } else {
        Memory.putInt(
            copy.storage().address() + 4 * i,
            Memory.getInt(x.storage().address() + 4 * i) & -1 << cutBits);
      }
    }
    return copy;
  }

  private static int mantissaBits(DataType type) {
    switch (type) {
      case DOUBLE:
        return 52;
      case FLOAT:
        return 23;
      case HALF:
        return 10;
      default:
        return 7;
    }
  }

  private static boolean isNumeric(DataType type) {
    return CastLoop.supports(type);
  }
}
