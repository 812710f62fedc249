package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Solves linear equations as well as they can be solved: with the least squares of what is left
 * over, and among those with the least squares of the solution itself. Fast by the normal
 * equations, to whose diagonal the third input is added; else by singular values.
 */
public final class LeastSquaresKernel implements Kernel {
  /** Smaller singular values, relative to the greatest, count as zero. */
  private static final double RANK_LIMIT = 1e-12;

  private final boolean fast;

  public LeastSquaresKernel(KernelNode node) {
    MatrixBatch.requireSupport(node.type());
    this.fast = node.attributes().bool("fast");
  }

  @Override
  public void compute(KernelContext context) {
    MatrixBatch matrices = MatrixBatch.of(context.input(0));
    MatrixBatch right = MatrixBatch.of(context.input(1));
    if (!right.shape().equals(matrices.shape()) || right.rows() != matrices.rows()) {
      throw TributaryException.invalidArgument(
          "Input matrix and rhs are incompatible: shapes %s and %s",
          context.input(0).shape(), context.input(1).shape());
    }
    Tensor regularizer = context.input(2);
    IndexTensors.requireScalar(regularizer, "l2_regularizer");
    double lambda = regularizer.getDouble(0);
    if (!(lambda >= 0)) {
      throw TributaryException.invalidArgument("l2_regularizer must be >= 0, got %s", lambda);
    }
    Shape result = Shape.of(matrices.columns(), right.columns());
    MatrixBatch output =
        MatrixBatch.of(context.allocateOutput(0, matrices.shape().concatenate(result)));
    for (long m = 0; m < matrices.count(); m++) {
      RealMatrix matrix = matrices.read(m);
      output.write(m, fast ? normal(matrix, right.read(m), lambda) : least(matrix, right.read(m)));
    }
  }

  private static RealMatrix normal(RealMatrix matrix, RealMatrix right, double lambda) {
    RealMatrix turned = matrix.transposed();
    if (matrix.rows >= matrix.columns) {
      RealMatrix solution = turned.times(right);
      solve(turned.times(matrix), lambda, solution);
      return solution;
    }
    solve(matrix.times(turned), lambda, right);
    return turned.times(right);
  }

  private static void solve(RealMatrix products, double lambda, RealMatrix right) {
    for (int i = 0; i < products.rows; i++) {
      products.set(i, i, products.at(i, i) + lambda);
    }
    if (!CholeskyFactor.decompose(products)) {
      throw TributaryException.invalidArgument(
          "Input matrix was rank deficient or ill-conditioned. Try setting fast=False or provide a"
              + " larger l2_regularizer > 0.");
    }
    CholeskyFactor.solve(products, right);
  }

  private static RealMatrix least(RealMatrix matrix, RealMatrix right) {
    SingularValues found = new SingularValues(matrix, false);
    double[] values = found.values();
    RealMatrix scaled = found.left().transposed().times(right);
    for (int i = 0; i < values.length; i++) {
      boolean counts = values[i] > RANK_LIMIT * values[0];
      for (int j = 0; j < scaled.columns; j++) {
        scaled.set(i, j, counts ? scaled.at(i, j) / values[i] : 0);
      }
    }
    return found.right().times(scaled);
  }
}
