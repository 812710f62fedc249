package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.loop.Folds;
import dev.tributary.internal.kernel.loop.Reduction;
import dev.tributary.internal.kernel.loop.ReductionShape;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** The sum of the tiles that a tensor consists of: the gradient of Tile. */
public final class TileGradKernel implements Kernel {
  private final DataType type;

  public TileGradKernel(KernelNode node) {
    this.type = node.type();
    Folds.SUM.requireSupport(type);
  }

  /** The shape of one tile of a tensor of this shape, as far as it is known. */
  public static Shape tile(Shape tiles, long[] multiples) {
    if (multiples.length != tiles.rank()) {
      throw TributaryException.invalidArgument(
          "Expected multiples argument to be a vector of length %d, but got %d",
          tiles.rank(), multiples.length);
    }
    long[] sizes = new long[multiples.length];
    for (int i = 0; i < sizes.length; i++) {
      long size = tiles.size(i);
      boolean divides = size == Shape.UNKNOWN || multiples[i] > 0 && size % multiples[i] == 0;
      if (!divides) {
        throw TributaryException.invalidArgument(
            "Expected input_dim[%d] to be divisible by multiples[%d], but %d %% %d != 0",
            i, i, size, multiples[i]);
      }
      sizes[i] = size == Shape.UNKNOWN ? Shape.UNKNOWN : size / multiples[i];
    }
    return Shape.of(sizes);
  }

  @Override
  public void compute(KernelContext context) {
    Tensor tiles = context.input(0);
    long[] multiples = IndexTensors.vector(context.input(1), "multiples");
    Shape tile = tile(tiles.shape(), multiples);
    int rank = tile.rank();
    long[] split = new long[2 * rank];
    long[] axes = new long[rank];
    for (int i = 0; i < rank; i++) {
      split[2 * i] = multiples[i];
      split[2 * i + 1] = tile.size(i);
      axes[i] = 2L * i;
    }
    ReductionShape shape = ReductionShape.of(Shape.of(split), axes, false);
    if (shape.reducedCount() == 1) {
      context.setOutput(0, tiles.retain());
      return;
    }
    Tensor sum = context.allocateOutput(0, shape.result());
    Reduction.run(Folds.SUM, type, tiles.storage().address(), sum.storage().address(), shape);
  }
}
