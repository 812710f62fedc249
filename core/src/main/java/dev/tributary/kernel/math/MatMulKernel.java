package dev.tributary.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.kernel.Backend;
import dev.tributary.kernel.GemmGeometry;
import dev.tributary.kernel.Kernel;
import dev.tributary.kernel.KernelContext;
import dev.tributary.kernel.KernelNode;
import dev.tributary.tensor.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** The product of two matrices, either of which may be stored transposed. */
public final class MatMulKernel implements Kernel {
  private final boolean transposeA;
  private final boolean transposeB;

  public MatMulKernel(KernelNode node) {
    this.transposeA = node.attributes().bool("transpose_a");
    this.transposeB = node.attributes().bool("transpose_b");
    GemmTypes.require(node.type());
  }

  @Override
  public void compute(KernelContext context) {
    Tensor a = context.input(0);
    Tensor b = context.input(1);
    requireMatrix("a", a.shape());
    requireMatrix("b", b.shape());
    long m = a.shape().size(transposeA ? 1 : 0);
    long k = a.shape().size(transposeA ? 0 : 1);
    long n = b.shape().size(transposeB ? 0 : 1);
    if (k != b.shape().size(transposeB ? 1 : 0)) {
      throw TributaryException.invalidArgument(
          "inner sizes differ, %s", product(a.shape(), transposeA, b.shape(), transposeB));
    }
    Tensor c = context.allocateOutput(0, Shape.of(m, n));
    if (k == 0) {
      Memory.fill(c.address(), c.byteSize(), (byte) 0);
    } else if (c.elementCount() > 0) {
      GemmGeometry geometry =
          GemmGeometry.of(GemmTypes.computed(a.type()), m, n, k, transposeA, transposeB);
      Backend backend = context.device().backend();
      GemmTypes.run(
          context, a, b, c, (left, right, out) -> backend.gemm(geometry, left, right, out));
    }
  }

  /** A product as error messages show it. */
  public static String product(Shape a, boolean transposeA, Shape b, boolean transposeB) {
    return a + (transposeA ? "^T" : "") + " x " + b + (transposeB ? "^T" : "");
  }

  private static void requireMatrix(String name, Shape shape) {
    if (shape.rank() != 2) {
      throw TributaryException.invalidArgument("%s must be a matrix, got shape %s", name, shape);
    }
  }
}
