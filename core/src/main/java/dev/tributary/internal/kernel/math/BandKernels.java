package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** Kernels of matrices that are given by their diagonals. Computed in double. */
public final class BandKernels {
  private static final String SINGULAR = "Input matrix is not invertible.";

  private BandKernels() {}

  /** Inputs: the main diagonal and those below, or those above and the main one; right sides. */
  public static Kernel triangularSolve(KernelNode node) {
    MatrixBatch.requireSupport(node.type());
    boolean lower = node.attributes().bool("lower");
    boolean adjoint = node.attributes().bool("adjoint");
    return context -> triangularSolve(context, lower, adjoint);
  }

  private static void triangularSolve(KernelContext context, boolean lower, boolean adjoint) {
    MatrixBatch bands = MatrixBatch.of(context.input(0));
    MatrixBatch right = MatrixBatch.of(context.input(1));
    if (context.input(0).elementCount() == 0
        || bands.rows() > bands.columns()
        || right.rows() != bands.columns()) {
      throw TributaryException.invalidArgument(
          "Bands and rhs are incompatible: shapes %s and %s; the bands must be [..., K, M] with K"
              + " from 1 to M and not empty, and the rhs [..., M, N]",
          context.input(0).shape(), context.input(1).shape());
    }
    Shape batch = Broadcast.shape(bands.shape(), right.shape());
    Shape result = batch.concatenate(Shape.of(right.rows(), right.columns()));
    MatrixBatch output = MatrixBatch.of(context.allocateOutput(0, result));
    for (long m = 0; m < output.count(); m++) {
      RealMatrix triangle =
          triangle(bands.read(Broadcast.repeated(bands.shape(), batch, m)), lower);
      RealMatrix solution = right.read(Broadcast.repeated(right.shape(), batch, m));
      (adjoint ? triangle.transposed() : triangle).solveTriangle(lower != adjoint, solution);
      output.write(m, solution);
    }
  }

  /** The matrix with these diagonals, of which each is aligned with the matrix's rows. */
  private static RealMatrix triangle(RealMatrix bands, boolean lower) {
    int size = bands.columns;
    RealMatrix triangle = new RealMatrix(size, size);
    for (int band = 0; band < bands.rows; band++) {
      int distance = lower ? -band : bands.rows - 1 - band;
      for (int i = Math.max(0, -distance); i < Math.min(size, size - distance); i++) {
        triangle.set(i, i + distance, bands.at(band, i));
      }
    }
    for (int i = 0; i < size; i++) {
      if (triangle.at(i, i) == 0) {
        throw TributaryException.invalidArgument(SINGULAR);
      }
    }
    return triangle;
  }

  /** Inputs: the diagonals above, on and below the main one as rows; the factor. */
  public static Kernel tridiagonalProduct(KernelNode node) {
    MatrixBatch.requireSupport(node.type());
    return BandKernels::tridiagonalProduct;
  }

  private static void tridiagonalProduct(KernelContext context) {
    MatrixBatch right = MatrixBatch.of(context.input(3));
    MatrixBatch[] diagonals = new MatrixBatch[3];
    for (int d = 0; d < 3; d++) {
      diagonals[d] = diagonals(context.input(d), 1, context.input(3));
    }
    MatrixBatch output = MatrixBatch.of(context.allocateOutput(0, context.input(3).shape()));
    for (long m = 0; m < right.count(); m++) {
      RealMatrix above = diagonals[0].read(m);
      RealMatrix main = diagonals[1].read(m);
      RealMatrix below = diagonals[2].read(m);
      RealMatrix factor = right.read(m);
      RealMatrix product = new RealMatrix(factor.rows, factor.columns);
      for (int i = 0; i < factor.rows; i++) {
        for (int j = 0; j < factor.columns; j++) {
          double next = i + 1 < factor.rows ? above.at(0, i) * factor.at(i + 1, j) : 0;
          double last = i > 0 ? below.at(0, i) * factor.at(i - 1, j) : 0;
          product.set(i, j, next + main.at(0, i) * factor.at(i, j) + last);
        }
      }
      output.write(m, product);
    }
  }

  /** Inputs: three rows, the diagonals above, on and below the main one; right sides. */
  public static Kernel tridiagonalSolve(KernelNode node) {
    MatrixBatch.requireSupport(node.type());
    boolean pivoting = node.attributes().bool("partial_pivoting");
    if (node.attributes().bool("perturb_singular")) {
      throw TributaryException.unimplemented(
          "no kernel for perturb_singular; give an invertible matrix");
    }
    return context -> tridiagonalSolve(context, pivoting);
  }

  private static void tridiagonalSolve(KernelContext context, boolean pivoting) {
    MatrixBatch right = MatrixBatch.of(context.input(1));
    MatrixBatch diagonals = diagonals(context.input(0), 3, context.input(1));
    MatrixBatch output = MatrixBatch.of(context.allocateOutput(0, context.input(1).shape()));
    for (long m = 0; m < right.count(); m++) {
      RealMatrix solution = right.read(m);
      Tridiagonal.solve(diagonals.read(m), solution, pivoting);
      output.write(m, solution);
    }
  }

  private static MatrixBatch diagonals(Tensor diagonals, int rows, Tensor right) {
    int rank = right.rank();
    Shape wanted =
        right.shape().withSize(rank - 2, rows).withSize(rank - 1, right.shape().size(-2));
    if (!diagonals.shape().equals(wanted)) {
      throw TributaryException.invalidArgument(
          "Diagonals for rhs of shape %s must have shape %s, got %s",
          right.shape(), wanted, diagonals.shape());
    }
    return MatrixBatch.of(diagonals);
  }
}
