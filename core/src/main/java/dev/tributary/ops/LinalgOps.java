package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.math.BatchMatMulKernel;
import dev.tributary.internal.kernel.math.CrossKernel;
import dev.tributary.internal.kernel.math.EinsumEquation;
import dev.tributary.internal.kernel.math.EinsumKernel;
import dev.tributary.internal.kernel.math.MatMulKernel;
import dev.tributary.internal.op.FusionRole;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Products of matrices. */
public final class LinalgOps extends DecompositionOps {
  private static final String MIXED =
      ": {bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128}";

  LinalgOps(Scope scope) {
    super(scope);
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
                "T: {bfloat16, half, float, double, int32, int64, uint8, uint16, uint32, uint64,"
                    + " complex64, complex128}")
            .attr("grad_a: bool = false")
            .attr("grad_b: bool = false")
            .flag(OpFlag.EXPENSIVE)
            .shape(LinalgOps::matMulShape)
            .kernel(MatMulKernel::new)
            .fusion(
                new FusionRole.Product(
                    FusedOps.MAT_MUL, Set.of(DataType.FLOAT), Optional.of(FusedOps.MAT_MUL_SUM)))
            .grad(LinalgOps::matMulGradient),
        batch(
            "BatchMatMul",
            "T: {bfloat16, half, float, double, int32, int64, complex64, complex128}",
            false),
        batch(
            "BatchMatMulV2",
            "T: {bfloat16, half, float, double, int16, int32, int64, uint8, uint16, uint32, uint64,"
                + " complex64, complex128}",
            true),
        products(
                op("BatchMatMulV3")
                    .input("x: Ta")
                    .input("y: Tb")
                    .output("output: Tout")
                    .attr("Ta" + MIXED)
                    .attr("Tb" + MIXED)
                    .attr(
                        "Tout: {bfloat16, half, float, double, int16, int32, int64, complex64,"
                            + " complex128}"),
                true)
            .grad(LinalgOps::batchGradient),
        op("Einsum")
            .input("inputs: N * T")
            .output("output: T")
            .attr("equation: string")
            .attr("N: int >= 1")
            .attr("T: type")
            .flag(OpFlag.EXPENSIVE)
            .shape(LinalgOps::einsumShape)
            .kernel(EinsumKernel::new)
            .grad(EinsumGradient::of),
        op("Cross")
            .input("a: T")
            .input("b: T")
            .output("product: T")
            .attr(TypeSpecs.ORDERED)
            .shape(
                c -> {
                  Shape shape = c.merged(0, 1);
                  if (shape.hasRank()) {
                    shape = shape.merge(shape.withSize(shape.rank() - 1, 3));
                  }
                  c.output(0, shape);
                })
            .kernel(node -> new CrossKernel())
            .grad(
                (tf, op, dy) ->
                    List.of(tf.linalg.cross(op.input(1), dy), tf.linalg.cross(dy, op.input(0)))));
  }

  private static OpDeclaration batch(String name, String types, boolean broadcasting) {
    return products(
            op(name).input("x: T").input("y: T").output("output: T").attr(types), broadcasting)
        .grad(LinalgOps::batchGradient);
  }

  private static Declaration products(Declaration types, boolean broadcasting) {
    return types
        .attr("adj_x: bool = false")
        .attr("adj_y: bool = false")
        .attr("grad_x: bool = false")
        .attr("grad_y: bool = false")
        .flag(OpFlag.EXPENSIVE)
        .shape(c -> batchShape(c, broadcasting))
        .kernel(node -> new BatchMatMulKernel(node, broadcasting));
  }

  private static List<Output> matMulGradient(Ops tf, Operation op, Output dy) {
    boolean transposeA = op.attributes().bool("transpose_a");
    boolean transposeB = op.attributes().bool("transpose_b");
    Output a = tf.math.conj(op.input(0));
    Output b = tf.math.conj(op.input(1));
    return productGradient(tf.linalg::matMul, a, b, dy, transposeA, transposeB);
  }

  private static List<Output> batchGradient(Ops tf, Operation op, Output dy) {
    List<Output> wide =
        productGradient(
            tf.linalg::batchMatMul,
            op.input(0),
            op.input(1),
            dy,
            op.attributes().bool("adj_x"),
            op.attributes().bool("adj_y"));
    return BroadcastGradients.reduce(tf, op.input(0), wide.get(0), op.input(1), wide.get(1));
  }

  private static void batchShape(InferenceContext context, boolean broadcasting) {
    boolean transposeX = context.attributes().bool("adj_x");
    boolean transposeY = context.attributes().bool("adj_y");
    Shape x = context.withRankAtLeast(0, 2);
    Shape y = context.withRankAtLeast(1, 2);
    if (!x.hasRank() || !y.hasRank()) {
      return;
    }
    requireSameInner(x, transposeX, y, transposeY);
    Shape batchX = x.slice(0, x.rank() - 2);
    Shape batchY = y.slice(0, y.rank() - 2);
    Shape batch = broadcasting ? Broadcast.shape(batchX, batchY) : batchX.merge(batchY);
    context.output(
        0, batch.concatenate(Shape.of(x.size(transposeX ? -1 : -2), y.size(transposeY ? -2 : -1))));
  }

  /** A product of which either factor may be transposed. */
  @FunctionalInterface
  interface Product {
    Output of(Output a, Output b, boolean transposeA, boolean transposeB);
  }

  /**
   * The gradients of both factors, again as products; that of a transposed factor comes out
   * transposed too.
   */
  static List<Output> productGradient(
      Product product, Output a, Output b, Output dy, boolean transposeA, boolean transposeB) {
    Output ofA =
        transposeA ? product.of(b, dy, transposeB, true) : product.of(dy, b, false, !transposeB);
    Output ofB =
        transposeB ? product.of(dy, a, true, transposeA) : product.of(a, dy, !transposeA, false);
    return List.of(ofA, ofB);
  }

  static void matMulShape(InferenceContext context) {
    boolean transposeA = context.attributes().bool("transpose_a");
    boolean transposeB = context.attributes().bool("transpose_b");
    Shape a = context.withRank(0, 2);
    Shape b = context.withRank(1, 2);
    requireSameInner(a, transposeA, b, transposeB);
    context.output(0, Shape.of(a.size(transposeA ? 1 : 0), b.size(transposeB ? 0 : 1)));
  }

  private static void einsumShape(InferenceContext context) {
    EinsumEquation equation = EinsumEquation.parse(context.attributes().string("equation"));
    List<Shape> inputs = new ArrayList<>();
    for (int i = 0; i < context.inputCount(); i++) {
      inputs.add(context.input(i));
    }
    if (inputs.stream().allMatch(Shape::hasRank)) {
      context.output(0, equation.shape(inputs));
    }
  }

  private static void requireSameInner(Shape a, boolean transposeA, Shape b, boolean transposeB) {
    long left = a.size(transposeA ? -2 : -1);
    long right = b.size(transposeB ? -1 : -2);
    if (left != right && left != Shape.UNKNOWN && right != Shape.UNKNOWN) {
      throw TributaryException.invalidArgument(
          "inner sizes differ, %s", MatMulKernel.product(a, transposeA, b, transposeB));
    }
  }

  Output matMul(Operand a, Operand b) {
    return matMul(a, b, false, false);
  }

  Output matMul(Operand a, Operand b, boolean transposeA, boolean transposeB) {
    return scope
        .operation("MatMul")
        .input(a)
        .input(b)
        .attr("transpose_a", transposeA)
        .attr("transpose_b", transposeB)
        .buildOutput();
  }

  /** Products of the matrices in the last two dimensions, with the others broadcast. */
  public Output batchMatMul(Operand x, Operand y) {
    return batchMatMul(x, y, false, false);
  }

  public Output batchMatMul(Operand x, Operand y, boolean transposeX, boolean transposeY) {
    return scope
        .operation("BatchMatMulV2")
        .input(x)
        .input(y)
        .attr("adj_x", transposeX)
        .attr("adj_y", transposeY)
        .buildOutput();
  }

  /**
   * Sums of products by an equation such as {@code "bij,bjk->bik"}: a letter for each dimension of
   * the one or two inputs and of the result, where {@code ...} stands for dimensions that are
   * broadcast. Dimensions whose letter is not behind the arrow are summed over.
   */
  public Output einsum(String equation, Operand... inputs) {
    return scope
        .operation("Einsum")
        .inputList(Operand.asOutputs(List.of(inputs)))
        .attr("equation", equation)
        .buildOutput();
  }

  /** Cross products of the vectors in the last dimension, which has size 3. */
  public Output cross(Operand a, Operand b) {
    return scope.operation("Cross").input(a).input(b).buildOutput();
  }
}
