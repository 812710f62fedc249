package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.GemmGeometry;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Products of the matrices in the last two dimensions; the dimensions before these are broadcast,
 * or must be equal. A complex matrix that is transposed is conjugated too.
 */
public final class BatchMatMulKernel implements Kernel {
  private final boolean transposeX;
  private final boolean transposeY;
  private final boolean broadcasting;

  public BatchMatMulKernel(KernelNode node, boolean broadcasting) {
    this.transposeX = node.attributes().bool("adj_x");
    this.transposeY = node.attributes().bool("adj_y");
    this.broadcasting = broadcasting;
    DataType type = node.outputTypes().get(0);
    GemmTypes.require(type);
    if (node.inputTypes().get(0) != type || node.inputTypes().get(1) != type) {
      throw TributaryException.unimplemented(
          "no kernel for products of %s as %s", node.inputTypes(), type.lowerName());
    }
  }

  @Override
  public void compute(KernelContext context) {
    Tensor x = context.input(0);
    Tensor y = context.input(1);
    Shape batchX = batch(x.shape());
    Shape batchY = batch(y.shape());
    if (!broadcasting && !batchX.equals(batchY)) {
      throw TributaryException.invalidArgument("batches differ, %s x %s", x.shape(), y.shape());
    }
    Broadcast batches = Broadcast.of(batchX, batchY);
    GemmGeometry single = geometry(x, transposeX, y, transposeY);
    Tensor z =
        context.allocateOutput(0, batches.result().concatenate(Shape.of(single.m(), single.n())));
    multiply(context, single, batches, x, transposeX, y, transposeY, z);
  }

  /**
   * Writes products of matrices, or of their conjugates, to {@code z}.
   *
   * @param batches walks over the dimensions before the matrices
   */
  static void multiply(
      KernelContext context,
      GemmGeometry single,
      Broadcast batches,
      Tensor x,
      boolean conjugateX,
      Tensor y,
      boolean conjugateY,
      Tensor z) {
    if (single.k() == 0) {
      Memory.fill(z.storage().address(), z.byteSize(), (byte) 0);
    } else if (z.elementCount() > 0) {
      Shape batchX = batch(x.shape());
      Shape batchY = batch(y.shape());
      GemmTypes.run(
          context,
          x,
          conjugateX,
          y,
          conjugateY,
          z,
          (left, right, out) ->
              multiply(context, single, batches, batchX, batchY, left, right, out));
    }
  }

  /**
   * In one call where neither side is repeated or one side has one matrix only, and one by one
   * elsewhere.
   */
  private static void multiply(
      KernelContext context,
      GemmGeometry single,
      Broadcast batches,
      Shape batchX,
      Shape batchY,
      long x,
      long y,
      long z) {
    long count = batches.elementCount();
    long sizeX = single.strideA();
    long sizeY = single.strideB();
    boolean alongX = batchX.elementCount() == count;
    boolean alongY = batchY.elementCount() == count;
    if ((alongX || batchX.elementCount() == 1) && (alongY || batchY.elementCount() == 1)) {
      context
          .device()
          .backend()
          .gemm(repeated(single, count, alongX ? sizeX : 0, alongY ? sizeY : 0), x, y, z);
      return;
    }
    int bytes = single.type().size();
    for (long i = 0; i < count; i++) {
      long left = x + batches.offset(0, i) * sizeX * bytes;
      long right = y + batches.offset(1, i) * sizeY * bytes;
      context.device().backend().gemm(single, left, right, z + i * single.m() * single.n() * bytes);
    }
  }

  private static GemmGeometry repeated(
      GemmGeometry single, long count, long strideX, long strideY) {
    return new GemmGeometry(
        single.type(),
        count,
        single.m(),
        single.n(),
        single.k(),
        single.transposeA(),
        single.transposeB(),
        strideX,
        strideY,
        false);
  }

  /** The sizes of one product, of matrices in the last two dimensions. */
  static GemmGeometry geometry(Tensor left, boolean transposeX, Tensor right, boolean transposeY) {
    Shape x = left.shape();
    Shape y = right.shape();
    long m = x.size(transposeX ? -1 : -2);
    long k = x.size(transposeX ? -2 : -1);
    long n = y.size(transposeY ? -2 : -1);
    if (k != y.size(transposeY ? -1 : -2)) {
      throw TributaryException.invalidArgument(
          "inner sizes differ, %s", MatMulKernel.product(x, transposeX, y, transposeY));
    }
    return GemmGeometry.of(GemmTypes.computed(left.type()), m, n, k, transposeX, transposeY);
  }

  private static Shape batch(Shape shape) {
    if (shape.rank() < 2) {
      throw TributaryException.invalidArgument(
          "a batch of matrices needs rank 2 or more, got shape %s", shape);
    }
    return shape.slice(0, shape.rank() - 2);
  }
}
