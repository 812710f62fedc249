package dev.tributary.internal.kernel.text;

import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.Tensor;
import java.util.function.UnaryOperator;

/** Kernels that work on each string of their first input alone, and the bytes of attributes. */
public final class ElementStrings {
  private ElementStrings() {}

  /** The function of each element. */
  public static Kernel map(UnaryOperator<byte[]> function) {
    return context -> {
      Tensor input = context.input(0);
      Object[] from = input.objects();
      Object[] to = context.allocateOutput(0, input.shape()).objects();
      for (int i = 0; i < to.length; i++) {
        to[i] = function.apply((byte[]) from[i]);
      }
    };
  }

  /** The value of a string attribute as it is, whether it is UTF-8 or not. */
  public static byte[] attribute(KernelNode node, String name) {
    return ((AttrValue.Bytes) node.attributes().find(name).orElseThrow()).value();
  }
}
