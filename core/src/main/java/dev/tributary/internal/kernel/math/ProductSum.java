package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.Backend;
import dev.tributary.internal.kernel.GemmGeometry;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The sum of a matrix and a product of two others, all of floats. The product is added to the
 * matrix where it lies if nobody else needs that, else to a copy.
 */
public final class ProductSum implements Kernel {
  private final boolean transposeA;
  private final boolean transposeB;

  public ProductSum(KernelNode node) {
    this.transposeA = node.attributes().bool("transpose_a");
    this.transposeB = node.attributes().bool("transpose_b");
  }

  @Override
  public void compute(KernelContext context) {
    Tensor a = context.input(0);
    Tensor b = context.input(1);
    Tensor c = context.input(2);
    GemmGeometry product = MatMulKernel.geometry(a, transposeA, b, transposeB);
    Shape shape = Shape.of(product.m(), product.n());
    if (!c.shape().equals(shape)) {
      addApart(context, product, shape);
      return;
    }
    long from = c.storage().address();
    Tensor sum = context.forwardOrAllocate(2, 0, shape);
    long to = sum.storage().address();
    if (to != from) {
      Memory.copy(from, to, sum.byteSize());
    }
    if (sum.elementCount() > 0 && product.k() > 0) {
      context
          .device()
          .backend()
          .gemm(product.accumulating(), a.storage().address(), b.storage().address(), to);
    }
  }

  /** For a sum with broadcasting, which a graph need not say before it runs. */
  private static void addApart(KernelContext context, GemmGeometry product, Shape shape) {
    Tensor c = context.input(2);
    Broadcast walk = Broadcast.of(c.shape(), shape);
    Backend backend = context.device().backend();
    try (Tensor apart = context.allocate(c.type(), shape)) {
      long middle = apart.storage().address();
      if (product.k() == 0) {
        Memory.fill(middle, apart.byteSize(), (byte) 0);
      } else if (apart.elementCount() > 0) {
        long a = context.input(0).storage().address();
        backend.gemm(product, a, context.input(1).storage().address(), middle);
      }
      Tensor sum = context.allocateOutput(0, walk.result());
      long from = c.storage().address();
      backend.elementWise(Arithmetic.ADD, c.type(), walk, from, middle, sum.storage().address());
    }
  }
}
