package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;

/**
 * A square matrix of complex doubles, on which decompositions work in place. Confined to a call.
 */
final class ComplexMatrix {
  final int size;
  private final double[] re;
  private final double[] im;

  ComplexMatrix(int size) {
    this.size = size;
    this.re = new double[size * size];
    this.im = new double[size * size];
  }

  static ComplexMatrix identity(int size) {
    ComplexMatrix identity = new ComplexMatrix(size);
    for (int i = 0; i < size; i++) {
      identity.set(i, i, 1, 0);
    }
    return identity;
  }

  /** Matrix {@code number} of those in the last two dimensions of a real or complex tensor. */
  static ComplexMatrix read(Tensor tensor, long number, int size) {
    ComplexMatrix matrix = new ComplexMatrix(size);
    long first = number * size * size;
    for (int i = 0; i < matrix.re.length; i++) {
      matrix.re[i] = part(tensor, first + i, 0);
      matrix.im[i] = tensor.type().isComplex() ? part(tensor, first + i, 1) : 0;
    }
    return matrix;
  }

  private static double part(Tensor tensor, long i, int part) {
    if (!tensor.type().isComplex()) {
      return Reals.at(tensor, i);
    }
    long address = tensor.storage().address();
    return tensor.type() == DataType.COMPLEX64
        ? Memory.getFloat(address + Float.BYTES * (2 * i + part))
        : Memory.getDouble(address + Double.BYTES * (2 * i + part));
  }

  /** Sets element {@code i} of a complex tensor. */
  static void put(Tensor tensor, long i, double re, double im) {
    long address = tensor.storage().address() + i * tensor.type().size();
    if (tensor.type() == DataType.COMPLEX64) {
      Memory.putFloat(address, (float) re);
      Memory.putFloat(address + Float.BYTES, (float) im);
    } else {
      Memory.putDouble(address, re);
      Memory.putDouble(address + Double.BYTES, im);
    }
  }

  double re(int row, int column) {
    return re[row * size + column];
  }

  double im(int row, int column) {
    return im[row * size + column];
  }

  /** The magnitude of an element, by the sum of its parts. */
  double magnitude(int row, int column) {
    return Math.abs(re(row, column)) + Math.abs(im(row, column));
  }

  void set(int row, int column, double real, double imaginary) {
    re[row * size + column] = real;
    im[row * size + column] = imaginary;
  }

  void write(Tensor target, long number) {
    for (int i = 0; i < re.length; i++) {
      put(target, number * re.length + i, re[i], im[i]);
    }
  }

  /** Applies a rotation to a row and the next one. */
  void rotateRows(int row, Rotation g) {
    for (int j = 0; j < size; j++) {
      int p = row * size + j;
      int q = p + size;
      double pRe = re[p];
      double pIm = im[p];
      re[p] = g.aRe() * pRe + g.aIm() * pIm + g.bRe() * re[q] + g.bIm() * im[q];
      im[p] = g.aRe() * pIm - g.aIm() * pRe + g.bRe() * im[q] - g.bIm() * re[q];
      double qRe = g.aRe() * re[q] - g.aIm() * im[q] - g.bRe() * pRe + g.bIm() * pIm;
      im[q] = g.aRe() * im[q] + g.aIm() * re[q] - g.bRe() * pIm - g.bIm() * pRe;
      re[q] = qRe;
    }
  }

  /** Applies the inverse of a rotation to a column and the next one. */
  void rotateColumns(int column, Rotation g) {
    for (int i = 0; i < size; i++) {
      int p = i * size + column;
      int q = p + 1;
      double pRe = re[p];
      double pIm = im[p];
      re[p] = g.aRe() * pRe - g.aIm() * pIm + g.bRe() * re[q] - g.bIm() * im[q];
      im[p] = g.aRe() * pIm + g.aIm() * pRe + g.bRe() * im[q] + g.bIm() * re[q];
      double qRe = g.aRe() * re[q] + g.aIm() * im[q] - g.bRe() * pRe - g.bIm() * pIm;
      im[q] = g.aRe() * im[q] - g.aIm() * re[q] - g.bRe() * pIm + g.bIm() * pRe;
      re[q] = qRe;
    }
  }

  /**
   * A unitary matrix of two rows, [conj(a), conj(b)] and [-b, a], that turns a pair of numbers so
   * that the second is 0.
   */
  record Rotation(double aRe, double aIm, double bRe, double bIm) {
    static Rotation of(double xRe, double xIm, double yRe, double yIm) {
      double length = Math.hypot(Math.hypot(xRe, xIm), Math.hypot(yRe, yIm));
      return length == 0
          ? new Rotation(1, 0, 0, 0)
          : new Rotation(xRe / length, xIm / length, yRe / length, yIm / length);
    }
  }
}
