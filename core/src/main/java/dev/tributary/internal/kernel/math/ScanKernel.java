package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.AxisWalk;
import dev.tributary.internal.kernel.loop.Fold;
import dev.tributary.internal.kernel.loop.Scan;
import dev.tributary.tensor.Tensor;

/** Running folds along the axis that the second input names. */
public final class ScanKernel implements Kernel {
  private final Fold fold;
  private final boolean exclusive;
  private final boolean reverse;

  private ScanKernel(Fold fold, KernelNode node) {
    this.fold = fold;
    this.exclusive = node.attributes().bool("exclusive");
    this.reverse = node.attributes().bool("reverse");
    fold.requireSupport(node.type());
  }

  public static KernelFactory of(Fold fold) {
    return node -> new ScanKernel(fold, node);
  }

  @Override
  public void compute(KernelContext context) {
    Tensor x = context.input(0);
    AxisWalk walk = AxisWalk.of(x.shape(), context.input(1).getIndex(0));
    long in = x.storage().address();
    long out = context.forwardOrAllocate(0, 0, x.shape()).storage().address();
    Scan.run(fold, x.type(), in, out, walk, exclusive, reverse);
  }
}
