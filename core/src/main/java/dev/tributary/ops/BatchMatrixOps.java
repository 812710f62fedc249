package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.internal.kernel.array.Bands;
import dev.tributary.internal.kernel.array.Diagonals;
import dev.tributary.internal.kernel.math.FactorKernels;
import dev.tributary.internal.kernel.math.LeastSquaresKernel;
import dev.tributary.internal.kernel.math.MatrixKernels;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.tensor.Shape;
import java.util.List;

/**
 * The names that ops of matrices had for batches of them, when those without "Batch" took a single
 * one. Only graphs of versions before 14 have them.
 */
final class BatchMatrixOps {
  private static final String REAL = "T: {double, float}";
  private static final String FLOAT_FIRST = "T: {float, double, complex64, complex128}";
  private static final String DOUBLE_FIRST = "T: {double, float, complex64, complex128}";

  /** The versions of graphs from which on a name may not be used. */
  private static final int EIGENVALUES_WITHDRAWN = 11;

  private static final int FACTORS_WITHDRAWN = 13;
  private static final int DIAGONALS_WITHDRAWN = 14;

  private BatchMatrixOps() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        diagonal("MatrixBandPart")
            .input("input: T")
            .input("num_lower: int64")
            .input("num_upper: int64")
            .output("band: T")
            .shape(c -> c.output(0, c.withRankAtLeast(0, 2)))
            .kernel(node -> Bands::bandPart)
            .notDifferentiable(),
        diagonal("MatrixDiag")
            .input("diagonal: T")
            .output("output: T")
            .shape(c -> c.output(0, Shape.unknown()))
            .kernel(Diagonals::matrix)
            .notDifferentiable(),
        diagonal("MatrixDiagPart")
            .input("input: T")
            .output("diagonal: T")
            .shape(c -> c.output(0, Shape.unknown()))
            .kernel(Diagonals::part)
            .notDifferentiable(),
        diagonal("MatrixSetDiag")
            .input("input: T")
            .input("diagonal: T")
            .output("output: T")
            .shape(c -> c.output(0, c.withRankAtLeast(0, 2)))
            .kernel(Diagonals::set)
            .notDifferentiable(),
        ofSquare("Cholesky", REAL)
            .shape(c -> c.output(0, DecompositionOps.square(c)))
            .kernel(MatrixKernels::cholesky)
            .notDifferentiable(),
        factor("CholeskyGrad", "T: {float, double}")
            .input("l: T")
            .input("grad: T")
            .output("output: T")
            .shape(c -> c.output(0, DecompositionOps.square(c)))
            .kernel(MatrixKernels::choleskyGradient)
            .notDifferentiable(),
        ofSquare("MatrixDeterminant", FLOAT_FIRST)
            .shape(c -> c.output(0, DecompositionOps.batch(DecompositionOps.square(c))))
            .kernel(MatrixKernels::determinant)
            .notDifferentiable(),
        factor("MatrixInverse", "adjoint: bool = false", REAL)
            .input("input: T")
            .output("output: T")
            .shape(c -> c.output(0, DecompositionOps.square(c)))
            .kernel(MatrixKernels::inverse)
            .notDifferentiable(),
        solution("MatrixSolve", "adjoint: bool = false", REAL)
            .shape(DecompositionOps::solutionShape)
            .kernel(MatrixKernels::solve)
            .notDifferentiable(),
        solution("MatrixTriangularSolve", "lower: bool = true", "adjoint: bool = false", REAL)
            .shape(DecompositionOps::solutionShape)
            .kernel(MatrixKernels::triangularSolve)
            .notDifferentiable(),
        factor("MatrixSolveLs", REAL)
            .input("matrix: T")
            .input("rhs: T")
            .input("l2_regularizer: double")
            .output("output: T")
            .attr("fast: bool = true")
            .shape(DecompositionOps::leastSquaresShape)
            .kernel(LeastSquaresKernel::new)
            .notDifferentiable(),
        op("BatchSelfAdjointEig")
            .deprecated(EIGENVALUES_WITHDRAWN, "Use SelfAdjointEigV2 instead.")
            .attr(REAL)
            .flag(OpFlag.EXPENSIVE)
            .input("input: T")
            .output("output: T")
            .shape(c -> c.output(0, Shape.unknown()))
            .kernel(FactorKernels::eigenvalueRows)
            .notDifferentiable(),
        factor("SelfAdjointEigV2", "compute_v: bool = true", REAL)
            .input("input: T")
            .output("e: T")
            .output("v: T")
            .shape(
                c -> {
                  Shape shape = DecompositionOps.square(c);
                  c.output(0, FactorOps.withoutLast(shape));
                  c.output(1, c.attributes().bool("compute_v") ? shape : Shape.of(0));
                })
            .kernel(FactorKernels::eigenvalues)
            .notDifferentiable(),
        factor("Svd", "compute_uv: bool = true", "full_matrices: bool = false", DOUBLE_FIRST)
            .input("input: T")
            .output("s: T")
            .output("u: T")
            .output("v: T")
            .shape(FactorOps::svdShape)
            .kernel(FactorKernels::singularValues)
            .notDifferentiable());
  }

  private static Declaration diagonal(String name) {
    return op("Batch" + name).deprecated(DIAGONALS_WITHDRAWN, "Use " + name).attr("T: type");
  }

  private static Declaration factor(String name, String... attributes) {
    Declaration declaration =
        op("Batch" + name)
            .deprecated(FACTORS_WITHDRAWN, "Use " + name + " instead.")
            .flag(OpFlag.EXPENSIVE);
    for (String attribute : attributes) {
      declaration.attr(attribute);
    }
    return declaration;
  }

  private static Declaration ofSquare(String name, String types) {
    return factor(name, types).input("input: T").output("output: T");
  }

  private static Declaration solution(String name, String... attributes) {
    return factor(name, attributes).input("matrix: T").input("rhs: T").output("output: T");
  }
}
