package dev.tributary.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.kernel.Kernel;
import dev.tributary.kernel.KernelContext;
import dev.tributary.kernel.KernelNode;
import dev.tributary.kernel.loop.CastLoop;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;

/** Converts elements to another type, as C++ does. */
public final class CastKernel implements Kernel {
  private final DataType from;
  private final DataType to;

  public CastKernel(KernelNode node) {
    this.from = node.attributes().type("SrcT");
    this.to = node.attributes().type("DstT");
    if (from != to && !(isNumeric(from) && isNumeric(to))) {
      throw TributaryException.unimplemented("cast of %s to %s is not supported", from.lowerName(), to.lowerName());
    }
  }

  @Override
  public void compute(KernelContext context) {
    Tensor x = context.input(0);
    if (from == to) {
      context.setOutput(0, x.retain());
    } else {
      Tensor y = context.allocateOutput(0, x.shape());
      CastLoop.run(from, x.address(), to, y.address(), x.elementCount());
    }
  }

  private static boolean isNumeric(DataType type) {
    return type.isSupported() && !type.isObject();
  }
}
