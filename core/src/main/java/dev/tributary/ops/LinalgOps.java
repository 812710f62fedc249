package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.InferenceContext;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.OpFlag;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.kernel.math.MatMulKernel;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Products of matrices. */
public final class LinalgOps {
  private final Scope scope;

  LinalgOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("MatMul")
            .input("a: T")
            .input("b: T")
            .output("product: T")
            .attr("transpose_a: bool = false")
            .attr("transpose_b: bool = false")
            .attr(
                "T: {bfloat16, half, float, double, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128}")
            .attr("grad_a: bool = false")
            .attr("grad_b: bool = false")
            .flag(OpFlag.EXPENSIVE)
            .shape(LinalgOps::matMulShape)
            .kernel(MatMulKernel::new)
            .grad(
                (tf, op, dy) ->
                    productGradient(
                        tf.linalg::matMul, op, dy, op.attributes().bool("transpose_a"), op.attributes().bool("transpose_b"))));
  }

  /** A product of which either factor may be transposed. */
  @FunctionalInterface
  private interface Product {
    Output of(Output a, Output b, boolean transposeA, boolean transposeB);
  }

  /** The gradients of both factors, again as products: that of a factor which is transposed comes out transposed too. */
  private static List<Output> productGradient(
      Product product, Operation op, Output dy, boolean transposeA, boolean transposeB) {
    Output a = op.input(0);
    Output b = op.input(1);
    Output ofA = transposeA ? product.of(b, dy, transposeB, true) : product.of(dy, b, false, !transposeB);
    Output ofB = transposeB ? product.of(dy, a, true, transposeA) : product.of(a, dy, !transposeA, false);
    return List.of(ofA, ofB);
  }

  private static void matMulShape(InferenceContext context) {
    boolean transposeA = context.attributes().bool("transpose_a");
    boolean transposeB = context.attributes().bool("transpose_b");
    Shape a = context.withRank(0, 2);
    Shape b = context.withRank(1, 2);
    requireSameInner(a, transposeA, b, transposeB);
    context.output(0, Shape.of(a.size(transposeA ? 1 : 0), b.size(transposeB ? 0 : 1)));
  }

  private static void requireSameInner(Shape a, boolean transposeA, Shape b, boolean transposeB) {
    long left = a.size(transposeA ? -2 : -1);
    long right = b.size(transposeB ? -1 : -2);
    if (left != right && left != Shape.UNKNOWN && right != Shape.UNKNOWN) {
      throw TributaryException.invalidArgument(
          "inner sizes differ, %s", MatMulKernel.product(a, transposeA, b, transposeB));
    }
  }

  public Output matMul(Output a, Output b) {
    return matMul(a, b, false, false);
  }

  public Output matMul(Output a, Output b, boolean transposeA, boolean transposeB) {
    return scope
        .operation("MatMul")
        .input(a)
        .input(b)
        .attr("transpose_a", transposeA)
        .attr("transpose_b", transposeB)
        .buildOutput();
  }
}
