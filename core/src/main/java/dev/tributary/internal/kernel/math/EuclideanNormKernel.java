package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.Folds;
import dev.tributary.internal.kernel.loop.Reduction;
import dev.tributary.internal.kernel.loop.ReductionShape;
import dev.tributary.internal.kernel.loop.UnaryLoop;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;

/** The roots of the sums of squares over the axes that the second input names. */
public final class EuclideanNormKernel implements Kernel {
  private static final UnaryLoop ROOT =
      UnaryLoop.of()
          .floats(x -> (float) Math.sqrt(x))
          .doubles(Math::sqrt)
          .ints(x -> (int) Math.sqrt(x))
          .longs(x -> (long) Math.sqrt(x));

  private final boolean keepDims;
  private final DataType type;

  public EuclideanNormKernel(KernelNode node) {
    this.keepDims = node.attributes().bool("keep_dims");
    this.type = node.type();
    ROOT.requireSupport(type);
  }

  @Override
  public void compute(KernelContext context) {
    Tensor x = context.input(0);
    ReductionShape shape = ReductionShape.of(x.shape(), context.input(1).toIndices(), keepDims);
    Tensor y = context.allocateOutput(0, shape.result());
    long out = y.storage().address();
    try (Tensor squares = context.allocate(type, x.shape())) {
      Functions.SQUARE.run(
          type, x.storage().address(), squares.storage().address(), x.elementCount());
      Reduction.run(Folds.SUM, type, squares.storage().address(), out, shape);
    }
    ROOT.run(type, out, out, y.elementCount());
  }
}
