package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** The matrices in the last two dimensions of a float or double tensor, numbered from 0 on. */
final class MatrixBatch {
  private final Tensor tensor;
  private final RealElements elements;
  private final int rows;
  private final int columns;

  private MatrixBatch(Tensor tensor) {
    this.tensor = tensor;
    this.elements = RealElements.of(tensor.type());
    ArrayLength.of(Math.multiplyExact(tensor.shape().size(-2), tensor.shape().size(-1)));
    this.rows = (int) tensor.shape().size(-2);
    this.columns = (int) tensor.shape().size(-1);
  }

  /** The matrices of an input; fails if it has fewer than two dimensions. */
  static MatrixBatch of(Tensor tensor) {
    if (tensor.rank() < 2) {
      throw TributaryException.invalidArgument(
          "Input must be at least a matrix, got shape %s", tensor.shape());
    }
    return new MatrixBatch(tensor);
  }

  /** The matrices of an input; fails if they are not square. */
  static MatrixBatch ofSquare(Tensor tensor) {
    MatrixBatch batch = of(tensor);
    if (batch.rows != batch.columns) {
      throw TributaryException.invalidArgument(
          "Input matrix must be square, got %s", tensor.shape());
    }
    return batch;
  }

  /** Fails with UNIMPLEMENTED for types other than float and double. */
  static void requireSupport(DataType type) {
    if (type != DataType.FLOAT && type != DataType.DOUBLE) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: float, double", type.lowerName());
    }
  }

  int rows() {
    return rows;
  }

  int columns() {
    return columns;
  }

  /** The dimensions before those of the matrices. */
  Shape shape() {
    return tensor.shape().slice(0, tensor.rank() - 2);
  }

  long count() {
    return shape().elementCount();
  }

  RealMatrix read(long number) {
    double[] values = new double[rows * columns];
    for (int i = 0; i < values.length; i++) {
      values[i] = elements.get(address(number * values.length + i));
    }
    return new RealMatrix(rows, columns, values);
  }

  void write(long number, RealMatrix matrix) {
    write(number, matrix.values);
  }

  void write(long number, double[] values) {
    for (int i = 0; i < values.length; i++) {
      elements.put(address(number * values.length + i), values[i]);
    }
  }

  /** Writes one row of numbers for each matrix, such as eigenvalues, into another tensor. */
  static void writeRow(Tensor target, long number, double[] values) {
    RealElements elements = RealElements.of(target.type());
    long first = target.storage().address() + number * values.length * elements.size();
    for (int i = 0; i < values.length; i++) {
      elements.put(first + (long) i * elements.size(), values[i]);
    }
  }

  private long address(long i) {
    return tensor.storage().address() + i * elements.size();
  }
}
