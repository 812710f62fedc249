package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Backend;
import dev.tributary.internal.kernel.Epilogue;
import dev.tributary.internal.kernel.GemmGeometry;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The product of two matrices, either of which may be stored transposed, with an epilogue or not.
 */
public final class MatMulKernel implements Kernel {
  private final boolean transposeA;
  private final boolean transposeB;
  private final Epilogue epilogue;

  public MatMulKernel(KernelNode node) {
    this(node, Epilogue.NONE);
  }

  private MatMulKernel(KernelNode node, Epilogue epilogue) {
    this.transposeA = node.attributes().bool("transpose_a");
    this.transposeB = node.attributes().bool("transpose_b");
    this.epilogue = epilogue;
    GemmTypes.require(node.type());
  }

  /** A product of floats with the epilogue that {@code fused_ops} names; input 2 is the bias. */
  public static MatMulKernel fused(KernelNode node) {
    if (node.type() != DataType.FLOAT) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: float", node.type().lowerName());
    }
    return new MatMulKernel(node, Epilogue.ofFusedOps(node.attributes().strings("fused_ops")));
  }

  /** A product in floats of factors that may be bfloat16. */
  public static Kernel toFloat(KernelNode node) {
    boolean transposeA = node.attributes().bool("transpose_a");
    boolean transposeB = node.attributes().bool("transpose_b");
    return context -> {
      try (Tensor a = GemmTypes.widened(context, DataType.FLOAT, context.input(0));
          Tensor b = GemmTypes.widened(context, DataType.FLOAT, context.input(1))) {
        GemmGeometry geometry = geometry(a, transposeA, b, transposeB);
        Tensor c = context.allocateOutput(0, Shape.of(geometry.m(), geometry.n()));
        if (geometry.k() == 0) {
          Memory.fill(c.storage().address(), c.byteSize(), (byte) 0);
        } else if (c.elementCount() > 0) {
          context
              .device()
              .backend()
              .gemm(geometry, a.storage().address(), b.storage().address(), c.storage().address());
        }
      }
    };
  }

  @Override
  public void compute(KernelContext context) {
    Tensor a = context.input(0);
    Tensor b = context.input(1);
    GemmGeometry geometry = geometry(a, transposeA, b, transposeB);
    if (epilogue.bias()) {
      requireBias(context.input(2).shape(), geometry.n());
    }
    Tensor c = context.allocateOutput(0, Shape.of(geometry.m(), geometry.n()));
    Backend backend = context.device().backend();
    if (epilogue.bias()) {
      if (c.elementCount() > 0) {
        long bias = context.input(2).storage().address();
        backend.gemm(
            geometry,
            epilogue,
            a.storage().address(),
            b.storage().address(),
            bias,
            c.storage().address());
      }
    } else if (geometry.k() == 0) {
      Memory.fill(c.storage().address(), c.byteSize(), (byte) 0);
    } else if (c.elementCount() > 0) {
      GemmTypes.run(
          context, a, b, c, (left, right, out) -> backend.gemm(geometry, left, right, out));
    }
  }

  /**
   * The product of two matrices in the type that it is computed in; fails if they are none, or do
   * not fit.
   */
  public static GemmGeometry geometry(Tensor a, boolean transposeA, Tensor b, boolean transposeB) {
    requireMatrix("a", a.shape());
    requireMatrix("b", b.shape());
    long k = a.shape().size(transposeA ? 0 : 1);
    if (k != b.shape().size(transposeB ? 1 : 0)) {
      throw TributaryException.invalidArgument(
          "inner sizes differ, %s", product(a.shape(), transposeA, b.shape(), transposeB));
    }
    return GemmGeometry.of(
        GemmTypes.computed(a.type()),
        a.shape().size(transposeA ? 1 : 0),
        b.shape().size(transposeB ? 0 : 1),
        k,
        transposeA,
        transposeB);
  }

  /** A product as error messages show it. */
  public static String product(Shape a, boolean transposeA, Shape b, boolean transposeB) {
    return a + (transposeA ? "^T" : "") + " x " + b + (transposeB ? "^T" : "");
  }

  private static void requireBias(Shape bias, long columns) {
    if (!bias.equals(Shape.of(columns))) {
      throw TributaryException.invalidArgument(
          "the bias must be a vector with one element for each of the %d columns, got shape %s",
          columns, bias);
    }
  }

  private static void requireMatrix(String name, Shape shape) {
    if (shape.rank() != 2) {
      throw TributaryException.invalidArgument("%s must be a matrix, got shape %s", name, shape);
    }
  }
}
