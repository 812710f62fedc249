package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.Fold;
import dev.tributary.internal.kernel.loop.Folds;
import dev.tributary.internal.kernel.loop.Reduction;
import dev.tributary.internal.kernel.loop.ReductionShape;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;

/** Folds the first input over the axes that the second one names. */
public final class ReduceKernel implements Kernel {
  private final Fold fold;
  private final boolean averaged;
  private final boolean keepDims;
  private final DataType type;

  private ReduceKernel(Fold fold, boolean averaged, KernelNode node) {
    this.fold = fold;
    this.averaged = averaged;
    this.keepDims = node.attributes().bool("keep_dims");
    this.type = node.inputTypes().get(0);
    fold.requireSupport(type);
  }

  public static KernelFactory of(Fold fold) {
    return node -> new ReduceKernel(fold, false, node);
  }

  public static KernelFactory mean() {
    return node -> new ReduceKernel(Folds.SUM, true, node);
  }

  @Override
  public void compute(KernelContext context) {
    Tensor x = context.input(0);
    ReductionShape shape = ReductionShape.of(x.shape(), context.input(1).toIndices(), keepDims);
    if (shape.reducedCount() == 1) {
      context.setOutput(0, x.withShape(shape.result()));
      return;
    }
    Tensor y = context.allocateOutput(0, shape.result());
    if (averaged) {
      Reduction.mean(type, x.storage().address(), y.storage().address(), shape);
    } else {
      Reduction.run(fold, type, x.storage().address(), y.storage().address(), shape);
    }
  }
}
