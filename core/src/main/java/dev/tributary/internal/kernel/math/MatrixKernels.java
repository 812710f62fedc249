package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/**
 * Kernels of linear algebra on the matrices in the last two dimensions, one after the other:
 * inverses, determinants, solutions, and Cholesky's decomposition. Computed in double.
 */
public final class MatrixKernels {
  private static final String SINGULAR = "Input matrix is not invertible.";

  private final RealElements elements;
  private final boolean adjoint;

  private MatrixKernels(KernelNode node) {
    if (node.type() != DataType.FLOAT && node.type() != DataType.DOUBLE) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: float, double", node.type().lowerName());
    }
    this.elements = RealElements.of(node.type());
    this.adjoint = node.attributes().has("adjoint") && node.attributes().bool("adjoint");
  }

  public static Kernel inverse(KernelNode node) {
    return new MatrixKernels(node)::inverse;
  }

  private void inverse(KernelContext context) {
    Tensor input = context.input(0);
    int size = square(input.shape());
    Tensor output = context.allocateOutput(0, input.shape());
    double[] column = new double[size];
    for (long m = 0; m < count(input.shape()); m++) {
      LuFactors factors = new LuFactors(read(input, m, size, size, adjoint), size);
      requireInvertible(factors.isSingular());
      for (int j = 0; j < size; j++) {
        Arrays.fill(column, 0);
        column[j] = 1;
        factors.solve(column);
        writeColumn(column, output, m, j);
      }
    }
  }

  public static Kernel determinant(KernelNode node) {
    return new MatrixKernels(node)::determinant;
  }

  private void determinant(KernelContext context) {
    Tensor input = context.input(0);
    int size = square(input.shape());
    Tensor output = context.allocateOutput(0, batch(input.shape()));
    for (long m = 0; m < output.elementCount(); m++) {
      LuFactors factors = new LuFactors(read(input, m, size, size, false), size);
      put(output, m, factors.determinant());
    }
  }

  /** Outputs: the sign, and the logarithm of the absolute value. */
  public static Kernel logDeterminant(KernelNode node) {
    return new MatrixKernels(node)::logDeterminant;
  }

  private void logDeterminant(KernelContext context) {
    Tensor input = context.input(0);
    int size = square(input.shape());
    Tensor sign = context.allocateOutput(0, batch(input.shape()));
    Tensor logarithm = context.allocateOutput(1, batch(input.shape()));
    for (long m = 0; m < sign.elementCount(); m++) {
      LuFactors factors = new LuFactors(read(input, m, size, size, false), size);
      put(sign, m, factors.determinantSign());
      put(logarithm, m, factors.logDeterminant());
    }
  }

  /** Inputs: matrices, right sides with as many rows. */
  public static Kernel solve(KernelNode node) {
    return new MatrixKernels(node)::solve;
  }

  private void solve(KernelContext context) {
    Tensor input = context.input(0);
    Tensor right = context.input(1);
    int size = square(input.shape());
    requireRightSides(input.shape(), right.shape(), batch(input.shape()));
    Tensor output = context.allocateOutput(0, right.shape());
    int columns = (int) right.shape().size(-1);
    double[] column = new double[size];
    for (long m = 0; m < count(input.shape()); m++) {
      LuFactors factors = new LuFactors(read(input, m, size, size, adjoint), size);
      requireInvertible(factors.isSingular());
      for (int j = 0; j < columns; j++) {
        readColumn(right, m, j, column);
        factors.solve(column);
        writeColumn(column, output, m, j);
      }
    }
  }

  /** Inputs: matrices of which one triangle counts, right sides. */
  public static Kernel triangularSolve(KernelNode node) {
    MatrixKernels kernels = new MatrixKernels(node);
    boolean lower = node.attributes().bool("lower");
    return context -> kernels.triangularSolve(context, lower);
  }

  private void triangularSolve(KernelContext context, boolean lower) {
    Tensor input = context.input(0);
    Tensor right = context.input(1);
    int size = square(input.shape());
    requireRightSides(input.shape(), right.shape(), batch(input.shape()));
    Tensor output = context.allocateOutput(0, right.shape());
    int columns = (int) right.shape().size(-1);
    double[] column = new double[size];
    for (long m = 0; m < count(input.shape()); m++) {
      double[] matrix = read(input, m, size, size, adjoint);
      for (int i = 0; i < size; i++) {
        requireInvertible(matrix[i * size + i] == 0);
      }
      for (int j = 0; j < columns; j++) {
        readColumn(right, m, j, column);
        substitute(matrix, size, lower != adjoint, column);
        writeColumn(column, output, m, j);
      }
    }
  }

  private static void substitute(double[] matrix, int size, boolean forwards, double[] column) {
    for (int step = 0; step < size; step++) {
      int i = forwards ? step : size - 1 - step;
      double sum = column[i];
      for (int j = forwards ? 0 : i + 1; j < (forwards ? i : size); j++) {
        sum -= matrix[i * size + j] * column[j];
      }
      column[i] = sum / matrix[i * size + i];
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
    Tensor input = context.input(0);
    int size = square(input.shape());
    Tensor output = context.allocateOutput(0, input.shape());
    for (long m = 0; m < count(input.shape()); m++) {
      double[] matrix = read(input, m, size, size, false);
      boolean definite = decompose(matrix, size);
      for (int i = 0; i < matrix.length; i++) {
        boolean lower = i % size <= i / size;
        put(output, m * size * size + i, !lower ? 0 : definite ? matrix[i] : Double.NaN);
      }
    }
  }

  /** Replaces the lower triangle; false if the matrix is not positive definite. */
  private static boolean decompose(double[] matrix, int size) {
    for (int i = 0; i < size; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = matrix[i * size + j];
        for (int k = 0; k < j; k++) {
          sum -= matrix[i * size + k] * matrix[j * size + k];
        }
        if (i == j && !(sum > 0)) {
          return false;
        }
        matrix[i * size + j] = i == j ? Math.sqrt(sum) : sum / matrix[j * size + j];
      }
    }
    return true;
  }

  /** The size of square matrices; fails if they are not square. */
  private static int square(Shape shape) {
    if (shape.rank() < 2) {
      throw TributaryException.invalidArgument(
          "Input must be at least a matrix, got shape %s", shape);
    }
    if (shape.size(-1) != shape.size(-2)) {
      throw TributaryException.invalidArgument("Input matrix must be square, got %s", shape);
    }
    ArrayLength.of(shape.size(-1) * shape.size(-1));
    return (int) shape.size(-1);
  }

  private static void requireRightSides(Shape matrices, Shape right, Shape batch) {
    if (right.rank() < 2
        || !right.slice(0, right.rank() - 2).equals(batch)
        || right.size(-2) != matrices.size(-1)) {
      throw TributaryException.invalidArgument(
          "Input matrix and rhs are incompatible: shapes %s and %s", matrices, right);
    }
  }

  private static void requireInvertible(boolean singular) {
    if (singular) {
      throw TributaryException.invalidArgument(SINGULAR);
    }
  }

  private static Shape batch(Shape shape) {
    return shape.slice(0, shape.rank() - 2);
  }

  private static long count(Shape shape) {
    return batch(shape).elementCount();
  }

  private double[] read(Tensor tensor, long number, int rows, int columns, boolean transposed) {
    double[] matrix = new double[rows * columns];
    long first = tensor.storage().address() + number * matrix.length * elements.size();
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        double value = elements.get(first + (long) (i * columns + j) * elements.size());
        matrix[transposed ? j * rows + i : i * columns + j] = value;
      }
    }
    return matrix;
  }

  private void readColumn(Tensor tensor, long number, int column, double[] to) {
    for (int i = 0; i < to.length; i++) {
      to[i] = elements.get(address(tensor, number, i, column));
    }
  }

  private void writeColumn(double[] from, Tensor tensor, long number, int column) {
    for (int i = 0; i < from.length; i++) {
      elements.put(address(tensor, number, i, column), from[i]);
    }
  }

  private long address(Tensor tensor, long number, int row, int column) {
    long rows = tensor.shape().size(-2);
    long columns = tensor.shape().size(-1);
    long at = (number * rows + row) * columns + column;
    return tensor.storage().address() + at * elements.size();
  }

  private void put(Tensor tensor, long i, double value) {
    elements.put(tensor.storage().address() + i * elements.size(), value);
  }
}
