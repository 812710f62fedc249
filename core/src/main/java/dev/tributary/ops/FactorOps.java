package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.math.FactorKernels;
import dev.tributary.internal.kernel.math.HalvesInFloat;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Matrices taken apart: triangles, orthogonal factors, eigenvalues and singular values. */
abstract sealed class FactorOps extends MatrixOps permits BandOps {
  private static final String TYPES = "T: {double, float, half, complex64, complex128}";

  FactorOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("Lu")
            .input("input: T")
            .output("lu: T")
            .output("p: output_idx_type")
            .attr(TYPES)
            .attr("output_idx_type: {int32, int64} = int32")
            .flag(OpFlag.EXPENSIVE)
            .shape(
                c -> {
                  Shape shape = DecompositionOps.square(c);
                  c.output(0, shape);
                  c.output(1, withoutLast(shape));
                })
            .kernel(FactorKernels::lu)
            .gradRule(
                (scope, op, dy) -> FactorGradients.lu(new Ops(scope), op, (Output) dy.get(0))),
        op("Qr")
            .input("input: T")
            .output("q: T")
            .output("r: T")
            .attr("full_matrices: bool = false")
            .attr(TYPES)
            .flag(OpFlag.EXPENSIVE)
            .shape(FactorOps::qrShape)
            .kernel(HalvesInFloat.of(FactorKernels::qr))
            .gradAll(FactorGradients::qr),
        op("SelfAdjointEigV2")
            .input("input: T")
            .output("e: T")
            .output("v: T")
            .attr("compute_v: bool = true")
            .attr(TYPES)
            .flag(OpFlag.EXPENSIVE)
            .shape(FactorOps::eigenShape)
            .kernel(FactorKernels::eigenvalues)
            .gradAll(FactorGradients::eigenvalues),
        op("Eig")
            .input("input: T")
            .output("e: Tout")
            .output("v: Tout")
            .attr("compute_v: bool = true")
            .attr("T: {float, double, complex64, complex128}")
            .attr("Tout: {complex64, complex128}")
            .flag(OpFlag.EXPENSIVE)
            .shape(FactorOps::eigenShape)
            .kernel(FactorKernels::complexEigenvalues)
            .gradAll(FactorGradients::complexEigenvalues),
        op("SelfAdjointEig")
            .input("input: T")
            .output("output: T")
            .attr("T: {double, float, half}")
            .deprecated(11, "Use SelfAdjointEigV2 instead.")
            .flag(OpFlag.EXPENSIVE)
            .shape(
                c -> {
                  Shape shape = DecompositionOps.square(c);
                  if (shape.hasRank()) {
                    long size = shape.size(-1);
                    long rows = size == Shape.UNKNOWN ? size : size + 1;
                    c.output(0, shape.withSize(shape.rank() - 2, rows));
                  }
                })
            .kernel(FactorKernels::eigenvalueRows)
            .notDifferentiable(),
        op("Svd")
            .input("input: T")
            .output("s: T")
            .output("u: T")
            .output("v: T")
            .attr("compute_uv: bool = true")
            .attr("full_matrices: bool = false")
            .attr(TYPES)
            .flag(OpFlag.EXPENSIVE)
            .shape(FactorOps::svdShape)
            .kernel(FactorKernels::singularValues)
            .gradAll(FactorGradients::singularValues));
  }

  static Shape withoutLast(Shape shape) {
    return shape.hasRank() ? shape.slice(0, shape.rank() - 1) : shape;
  }

  private static void eigenShape(InferenceContext context) {
    Shape shape = DecompositionOps.square(context);
    context.output(0, withoutLast(shape));
    context.output(1, context.attributes().bool("compute_v") ? shape : Shape.of(0));
  }

  private static void qrShape(InferenceContext context) {
    Shape input = context.withRankAtLeast(0, 2);
    if (input.hasRank()) {
      Shape batch = DecompositionOps.batch(input);
      long rows = input.size(-2);
      long inner = context.attributes().bool("full_matrices") ? rows : least(input);
      context.output(0, batch.concatenate(Shape.of(rows, inner)));
      context.output(1, batch.concatenate(Shape.of(inner, input.size(-1))));
    }
  }

  static void svdShape(InferenceContext context) {
    Shape input = context.withRankAtLeast(0, 2);
    boolean vectors = context.attributes().bool("compute_uv");
    boolean full = context.attributes().bool("full_matrices");
    if (!vectors) {
      context.output(1, Shape.of(0));
      context.output(2, Shape.of(0));
    }
    if (input.hasRank()) {
      Shape batch = DecompositionOps.batch(input);
      long rows = input.size(-2);
      long columns = input.size(-1);
      long least = least(input);
      context.output(0, batch.concatenate(Shape.of(least)));
      if (vectors) {
        context.output(1, batch.concatenate(Shape.of(rows, full ? rows : least)));
        context.output(2, batch.concatenate(Shape.of(columns, full ? columns : least)));
      }
    }
  }

  /** The lesser of rows and columns, if both are known. */
  private static long least(Shape matrices) {
    return Math.min(matrices.size(-2), matrices.size(-1));
  }

  /**
   * Triangles whose product is the input with its rows exchanged: both in one matrix without the
   * lower one's diagonal of ones (0), and the order of the rows (1).
   */
  public List<Output> lu(Operand input) {
    return scope.operation("Lu").input(input).build().outputs();
  }

  /**
   * Orthogonal matrices (0) and upper triangles (1) whose product is the input.
   *
   * @param full whether the orthogonal matrices are square
   */
  public List<Output> qr(Operand input, boolean full) {
    return scope.operation("Qr").input(input).attr("full_matrices", full).build().outputs();
  }

  /**
   * The eigenvalues (0) of symmetric matrices in increasing order, and eigenvectors as columns (1).
   * Only the lower triangles are read.
   */
  public List<Output> selfAdjointEig(Operand input) {
    return scope.operation("SelfAdjointEigV2").input(input).build().outputs();
  }

  /**
   * The complex eigenvalues (0) of any square matrices, in no particular order, and eigenvectors of
   * length 1 as columns (1).
   */
  public List<Output> eig(Operand input) {
    return eig(input, true);
  }

  /** The complex eigenvalues of any square matrices alone. */
  public Output eigenvalues(Operand input) {
    return eig(input, false).get(0);
  }

  private List<Output> eig(Operand input, boolean vectors) {
    DataType type = input.asOutput().type();
    boolean wide = type == DataType.DOUBLE || type == DataType.COMPLEX128;
    return scope
        .operation("Eig")
        .input(input)
        .attr("compute_v", vectors)
        .attr("Tout", wide ? DataType.COMPLEX128 : DataType.COMPLEX64)
        .build()
        .outputs();
  }

  /** The eigenvalues of symmetric matrices alone. */
  public Output selfAdjointEigenvalues(Operand input) {
    return scope
        .operation("SelfAdjointEigV2")
        .input(input)
        .attr("compute_v", false)
        .build()
        .output(0);
  }

  /**
   * The singular values (0) in decreasing order, and left (1) and right (2) singular vectors as
   * columns.
   *
   * @param full whether the matrices of vectors are square
   */
  public List<Output> svd(Operand input, boolean full) {
    return scope.operation("Svd").input(input).attr("full_matrices", full).build().outputs();
  }

  /** The singular values alone. */
  public Output singularValues(Operand input) {
    return scope.operation("Svd").input(input).attr("compute_uv", false).build().output(0);
  }
}
