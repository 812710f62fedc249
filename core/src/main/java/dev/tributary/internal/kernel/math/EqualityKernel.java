package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/** Asks whether elements are equal, or whether they are not, of strings too. */
public final class EqualityKernel implements Kernel {
  private final Kernel numbers;
  private final boolean ofStrings;
  private final boolean equal;
  private final boolean strict;

  /** {@code equal} is the answer for equal elements. */
  public EqualityKernel(KernelNode node, BinaryLoop loop, boolean equal) {
    this.ofStrings = node.type() == DataType.STRING;
    this.numbers = ofStrings ? this::compareStrings : BinaryKernel.of(loop).create(node);
    this.equal = equal;
    this.strict = node.attributes().bool("incompatible_shape_error");
  }

  @Override
  public void compute(KernelContext context) {
    if (!strict && !canMeet(context.input(0).shape(), context.input(1).shape())) {
      Memory.putBoolean(context.allocateOutput(0, Shape.scalar()).storage().address(), !equal);
    } else {
      numbers.compute(context);
    }
  }

  private void compareStrings(KernelContext context) {
    Tensor x = context.input(0);
    Tensor y = context.input(1);
    Broadcast walk = Broadcast.of(x.shape(), y.shape());
    long out = context.allocateOutput(0, walk.result()).storage().address();
    for (long i = 0; i < walk.elementCount(); i++) {
      byte[] left = (byte[]) x.objects()[(int) walk.offset(0, i)];
      byte[] right = (byte[]) y.objects()[(int) walk.offset(1, i)];
      Memory.putBoolean(out + i, Arrays.equals(left, right) == equal);
    }
  }

  private static boolean canMeet(Shape x, Shape y) {
    try {
      Broadcast.shape(x, y);
      return true;
    } catch (TributaryException e) {
      return false;
    }
  }
}
