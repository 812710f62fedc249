package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Kernels of linear algebra on the matrices in the last two dimensions, one after the other:
 * inverses, determinants, solutions, and Cholesky's decomposition. Computed in double.
 */
public final class MatrixKernels {
  private static final String SINGULAR = "Input matrix is not invertible.";

  private final boolean adjoint;

  private MatrixKernels(KernelNode node) {
    MatrixBatch.requireSupport(node.type());
    this.adjoint = node.attributes().has("adjoint") && node.attributes().bool("adjoint");
  }

  public static Kernel inverse(KernelNode node) {
    return new MatrixKernels(node)::inverse;
  }

  private void inverse(KernelContext context) {
    MatrixBatch input = MatrixBatch.ofSquare(context.input(0));
    MatrixBatch output = MatrixBatch.of(context.allocateOutput(0, context.input(0).shape()));
    for (long m = 0; m < input.count(); m++) {
      output.write(m, factors(input, m).inverse());
    }
  }

  public static Kernel determinant(KernelNode node) {
    return new MatrixKernels(node)::determinant;
  }

  private void determinant(KernelContext context) {
    MatrixBatch input = MatrixBatch.ofSquare(context.input(0));
    Tensor output = context.allocateOutput(0, input.shape());
    for (long m = 0; m < output.elementCount(); m++) {
      Reals.put(output, m, new LuFactors(input.read(m)).determinant());
    }
  }

  /** Outputs: the sign, and the logarithm of the absolute value. */
  public static Kernel logDeterminant(KernelNode node) {
    return new MatrixKernels(node)::logDeterminant;
  }

  private void logDeterminant(KernelContext context) {
    MatrixBatch input = MatrixBatch.ofSquare(context.input(0));
    Tensor sign = context.allocateOutput(0, input.shape());
    Tensor logarithm = context.allocateOutput(1, input.shape());
    for (long m = 0; m < sign.elementCount(); m++) {
      LuFactors factors = new LuFactors(input.read(m));
      Reals.put(sign, m, factors.determinantSign());
      Reals.put(logarithm, m, factors.logDeterminant());
    }
  }

  /** Inputs: matrices, right sides with as many rows. */
  public static Kernel solve(KernelNode node) {
    return new MatrixKernels(node)::solve;
  }

  private void solve(KernelContext context) {
    MatrixBatch input = MatrixBatch.ofSquare(context.input(0));
    MatrixBatch right = rightSides(context.input(0), context.input(1));
    MatrixBatch output = MatrixBatch.of(context.allocateOutput(0, context.input(1).shape()));
    for (long m = 0; m < input.count(); m++) {
      output.write(m, factors(input, m).solve(right.read(m)));
    }
  }

  /** Inputs: matrices of which one triangle counts, right sides. */
  public static Kernel triangularSolve(KernelNode node) {
    MatrixKernels kernels = new MatrixKernels(node);
    boolean lower = node.attributes().bool("lower");
    return context -> kernels.triangularSolve(context, lower);
  }

  private void triangularSolve(KernelContext context, boolean lower) {
    MatrixBatch input = MatrixBatch.ofSquare(context.input(0));
    MatrixBatch right = rightSides(context.input(0), context.input(1));
    MatrixBatch output = MatrixBatch.of(context.allocateOutput(0, context.input(1).shape()));
    for (long m = 0; m < input.count(); m++) {
      RealMatrix matrix = read(input, m);
      for (int i = 0; i < matrix.rows; i++) {
        requireInvertible(matrix.at(i, i) == 0);
      }
      RealMatrix solution = right.read(m);
      matrix.solveTriangle(lower != adjoint, solution);
      output.write(m, solution);
    }
  }

  /**
   * The lower triangle whose product with its own transpose is the input; NaN where the input is
   * not positive definite.
   */
  public static Kernel cholesky(KernelNode node) {
    return new MatrixKernels(node)::cholesky;
  }

  private void cholesky(KernelContext context) {
    MatrixBatch input = MatrixBatch.ofSquare(context.input(0));
    MatrixBatch output = MatrixBatch.of(context.allocateOutput(0, context.input(0).shape()));
    for (long m = 0; m < input.count(); m++) {
      RealMatrix matrix = input.read(m);
      boolean definite = CholeskyFactor.decompose(matrix);
      for (int i = 0; i < matrix.rows; i++) {
        for (int j = 0; j < matrix.columns; j++) {
          matrix.set(i, j, j > i ? 0 : definite ? matrix.at(i, j) : Double.NaN);
        }
      }
      output.write(m, matrix);
    }
  }

  /** Inputs: Cholesky's triangles, their gradients. */
  public static Kernel choleskyGradient(KernelNode node) {
    return new MatrixKernels(node)::choleskyGradient;
  }

  private void choleskyGradient(KernelContext context) {
    MatrixBatch factors = MatrixBatch.ofSquare(context.input(0));
    MatrixBatch gradients = MatrixBatch.ofSquare(context.input(1));
    if (!context.input(0).shape().equals(context.input(1).shape())) {
      throw TributaryException.invalidArgument(
          "Inputs to cholesky grad must have the same shape, got %s and %s",
          context.input(0).shape(), context.input(1).shape());
    }
    MatrixBatch output = MatrixBatch.of(context.allocateOutput(0, context.input(0).shape()));
    for (long m = 0; m < factors.count(); m++) {
      output.write(m, CholeskyFactor.gradient(factors.read(m), gradients.read(m)));
    }
  }

  private LuFactors factors(MatrixBatch input, long number) {
    LuFactors factors = new LuFactors(read(input, number));
    requireInvertible(factors.isSingular());
    return factors;
  }

  private RealMatrix read(MatrixBatch input, long number) {
    RealMatrix matrix = input.read(number);
    return adjoint ? matrix.transposed() : matrix;
  }

  private static MatrixBatch rightSides(Tensor matrices, Tensor right) {
    Shape batch = matrices.shape().slice(0, matrices.rank() - 2);
    if (right.rank() < 2
        || !right.shape().slice(0, right.rank() - 2).equals(batch)
        || right.shape().size(-2) != matrices.shape().size(-1)) {
      throw TributaryException.invalidArgument(
          "Input matrix and rhs are incompatible: shapes %s and %s",
          matrices.shape(), right.shape());
    }
    return MatrixBatch.of(right);
  }

  private static void requireInvertible(boolean singular) {
    if (singular) {
      throw TributaryException.invalidArgument(SINGULAR);
    }
  }
}
