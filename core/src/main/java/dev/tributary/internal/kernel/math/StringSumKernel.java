package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/** The sum of strings: the second one appended to the first, with broadcasting. */
public final class StringSumKernel implements Kernel {
  @Override
  public void compute(KernelContext context) {
    Object[] left = context.input(0).objects();
    Object[] right = context.input(1).objects();
    Broadcast walk = Broadcast.of(context.input(0).shape(), context.input(1).shape());
    Tensor out = context.allocateOutput(0, walk.result());
    Object[] sums = out.objects();
    for (int i = 0; i < sums.length; i++) {
      sums[i] =
          concatenated(
              (byte[]) left[(int) walk.offset(0, i)], (byte[]) right[(int) walk.offset(1, i)]);
    }
  }

  private static byte[] concatenated(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
