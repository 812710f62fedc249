package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Kernels that take matrices apart: triangles, orthogonal factors, eigenvalues and singular values.
 * Computed in double.
 */
public final class FactorKernels {
  private FactorKernels() {}

  /** Outputs: both triangles in one matrix, and the order of the rows. */
  public static Kernel lu(KernelNode node) {
    MatrixBatch.requireSupport(node.type());
    return FactorKernels::lu;
  }

  private static void lu(KernelContext context) {
    MatrixBatch input = MatrixBatch.ofSquare(context.input(0));
    Shape shape = context.input(0).shape();
    MatrixBatch triangles = MatrixBatch.of(context.allocateOutput(0, shape));
    Tensor order = context.allocateOutput(1, shape.slice(0, shape.rank() - 1));
    for (long m = 0; m < input.count(); m++) {
      LuFactors factors = new LuFactors(input.read(m));
      if (factors.isSingular()) {
        throw TributaryException.invalidArgument("Input is not invertible.");
      }
      triangles.write(m, factors.triangles());
      for (int i = 0; i < input.rows(); i++) {
        IndexTensors.put(order, m * input.rows() + i, factors.rows()[i]);
      }
    }
  }

  /** Outputs: the orthogonal matrices, the upper triangles. */
  public static Kernel qr(KernelNode node) {
    MatrixBatch.requireSupport(node.type());
    boolean full = node.attributes().bool("full_matrices");
    return context -> qr(context, full);
  }

  private static void qr(KernelContext context, boolean full) {
    MatrixBatch input = MatrixBatch.of(context.input(0));
    int rows = input.rows();
    int inner = full ? rows : Math.min(rows, input.columns());
    Shape batch = input.shape();
    MatrixBatch q =
        MatrixBatch.of(context.allocateOutput(0, batch.concatenate(Shape.of(rows, inner))));
    MatrixBatch r =
        MatrixBatch.of(
            context.allocateOutput(1, batch.concatenate(Shape.of(inner, input.columns()))));
    for (long m = 0; m < input.count(); m++) {
      QrFactors factors = new QrFactors(input.read(m));
      q.write(m, factors.q().firstColumns(inner));
      r.write(m, factors.r().firstRows(inner));
    }
  }

  /** Outputs: the eigenvalues, and the eigenvectors or nothing. */
  public static Kernel eigenvalues(KernelNode node) {
    MatrixBatch.requireSupport(node.type());
    boolean vectors = node.attributes().bool("compute_v");
    return context -> eigenvalues(context, vectors);
  }

  private static void eigenvalues(KernelContext context, boolean withVectors) {
    MatrixBatch input = MatrixBatch.ofSquare(context.input(0));
    Shape shape = context.input(0).shape();
    Tensor values = context.allocateOutput(0, shape.slice(0, shape.rank() - 1));
    Tensor vectors = context.allocateOutput(1, withVectors ? shape : Shape.of(0));
    for (long m = 0; m < input.count(); m++) {
      Eigenvalues found = new Eigenvalues(input.read(m));
      MatrixBatch.writeRow(values, m, found.values());
      if (withVectors) {
        MatrixBatch.of(vectors).write(m, found.vectors());
      }
    }
  }

  /** Outputs: the complex eigenvalues of any matrix, and the eigenvectors or nothing. */
  public static Kernel complexEigenvalues(KernelNode node) {
    boolean vectors = node.attributes().bool("compute_v");
    return context -> complexEigenvalues(context, vectors);
  }

  private static void complexEigenvalues(KernelContext context, boolean withVectors) {
    Tensor input = context.input(0);
    int rank = input.rank();
    if (rank < 2 || input.shape().size(-1) != input.shape().size(-2)) {
      throw TributaryException.invalidArgument(
          "Input matrix must be square, got %s", input.shape());
    }
    int size = ArrayLength.of(input.shape().size(-1));
    ArrayLength.of((long) size * size);
    Shape batch = input.shape().slice(0, rank - 2);
    Tensor values = context.allocateOutput(0, batch.concatenate(Shape.of(size)));
    Tensor vectors = context.allocateOutput(1, withVectors ? input.shape() : Shape.of(0));
    for (long m = 0; m < batch.elementCount() && size > 0; m++) {
      ComplexEigenvalues found = new ComplexEigenvalues(ComplexMatrix.read(input, m, size));
      for (int i = 0; i < size; i++) {
        ComplexMatrix.put(values, m * size + i, found.re(i), found.im(i));
      }
      if (withVectors) {
        found.vectors().write(vectors, m);
      }
    }
  }

  /** Output: the eigenvalues as a row above the eigenvectors. */
  public static Kernel eigenvalueRows(KernelNode node) {
    MatrixBatch.requireSupport(node.type());
    return FactorKernels::eigenvalueRows;
  }

  private static void eigenvalueRows(KernelContext context) {
    MatrixBatch input = MatrixBatch.ofSquare(context.input(0));
    Shape result = input.shape().concatenate(Shape.of(input.rows() + 1, input.rows()));
    MatrixBatch output = MatrixBatch.of(context.allocateOutput(0, result));
    for (long m = 0; m < input.count(); m++) {
      Eigenvalues found = new Eigenvalues(input.read(m));
      RealMatrix rows = new RealMatrix(input.rows() + 1, input.rows());
      double[] vectors = found.vectors().values;
      System.arraycopy(found.values(), 0, rows.values, 0, input.rows());
      System.arraycopy(vectors, 0, rows.values, input.rows(), vectors.length);
      output.write(m, rows);
    }
  }

  /** Outputs: the singular values, and the left and right vectors or nothing. */
  public static Kernel singularValues(KernelNode node) {
    MatrixBatch.requireSupport(node.type());
    boolean vectors = node.attributes().bool("compute_uv");
    boolean full = node.attributes().bool("full_matrices");
    return context -> singularValues(context, vectors, full);
  }

  private static void singularValues(KernelContext context, boolean withVectors, boolean full) {
    MatrixBatch input = MatrixBatch.of(context.input(0));
    int rows = input.rows();
    int columns = input.columns();
    int least = Math.min(rows, columns);
    Shape batch = input.shape();
    Shape left = batch.concatenate(Shape.of(rows, full ? rows : least));
    Shape right = batch.concatenate(Shape.of(columns, full ? columns : least));
    Tensor values = context.allocateOutput(0, batch.concatenate(Shape.of(least)));
    Tensor u = context.allocateOutput(1, withVectors ? left : Shape.of(0));
    Tensor v = context.allocateOutput(2, withVectors ? right : Shape.of(0));
    for (long m = 0; m < input.count(); m++) {
      SingularValues found = new SingularValues(input.read(m), full);
      MatrixBatch.writeRow(values, m, found.values());
      if (withVectors) {
        MatrixBatch.of(u).write(m, found.left());
        MatrixBatch.of(v).write(m, found.right());
      }
    }
  }
}
