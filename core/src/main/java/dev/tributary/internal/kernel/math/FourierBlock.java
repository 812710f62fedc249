package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;

/**
 * The elements that one Fourier transform of several dimensions is over. They are computed as
 * complex doubles. Immutable.
 */
final class FourierBlock {
  private final DataType from;
  private final DataType to;
  private final boolean inverse;
  private final long[] lengths;

  /** Elements of a row whose values are not told by others: half of them if a side is real. */
  private final int columns;

  FourierBlock(DataType from, DataType to, boolean inverse, long[] lengths) {
    this.from = from;
    this.to = to;
    this.inverse = inverse;
    this.lengths = lengths;
    int rowLength = ArrayLength.of(lengths[lengths.length - 1]);
    this.columns = from.isComplex() && to.isComplex() ? rowLength : rowLength / 2 + 1;
  }

  /** The lengths of the transforms; the caller does not change them. */
  long[] lengths() {
    return lengths;
  }

  long elementCount() {
    return Shape.of(lengths).elementCount();
  }

  /** Room for one block at a time, for one thread. */
  Work newWork(FourierTransform[] transforms) {
    return new Work(transforms);
  }

  /** A block on its way from the input to the output. */
  final class Work {
    private final FourierTransform[] transforms;
    private final int rowLength;
    private final int rows;

    /** All elements, each a real and an imaginary part. */
    private final double[] data;

    /** The elements of one line through the block. */
    private final double[] line;

    private final double[] scratch;

    private Work(FourierTransform[] transforms) {
      this.transforms = transforms;
      this.rowLength = transforms[transforms.length - 1].length();
      int count = ArrayLength.of(2 * elementCount()) / 2;
      this.rows = count / rowLength;
      this.data = new double[2 * count];
      int longest = 0;
      int most = 0;
      for (FourierTransform transform : transforms) {
        longest = Math.max(longest, 2 * transform.length());
        most = Math.max(most, transform.scratchLength());
      }
      this.line = new double[longest];
      this.scratch = new double[most];
    }

    /** Reads the elements at an address; what exceeds the transform's lengths is left out. */
    void load(long address, Shape shape) {
      int read = inverse ? columns : rowLength;
      for (int row = 0; row < rows; row++) {
        long at = address + offset(row, shape) * from.size();
        for (int i = 0; i < read; i++) {
          int place = 2 * (row * rowLength + i);
          data[place] = part(from, at, i, 0);
          data[place + 1] = from.isComplex() ? part(from, at, i, 1) : 0;
        }
      }
    }

    /** Rows come first on the way to the spectrum, and last on the way back. */
    void transform() {
      if (!inverse) {
        transformRows();
      }
      int stride = rowLength;
      for (int axis = transforms.length - 2; axis >= 0; axis--) {
        transformColumns(transforms[axis], stride);
        stride *= transforms[axis].length();
      }
      if (inverse) {
        transformRows();
      }
    }

    /** Writes as many elements of each row as the output's shape has. */
    void store(long address, Shape shape) {
      int written = to.isComplex() && !inverse ? columns : rowLength;
      double scale = inverse ? 1.0 / (data.length / 2) : 1;
      for (int row = 0; row < rows; row++) {
        long at = address + offset(row, shape) * to.size();
        for (int i = 0; i < written; i++) {
          int place = 2 * (row * rowLength + i);
          put(to, at, i, 0, data[place] * scale);
          if (to.isComplex()) {
            put(to, at, i, 1, data[place + 1] * scale);
          }
        }
      }
    }

    private void transformRows() {
      FourierTransform transform = transforms[transforms.length - 1];
      for (int row = 0; row < rows; row++) {
        int start = 2 * row * rowLength;
        if (!to.isComplex()) {
          mirror(start);
        }
        System.arraycopy(data, start, line, 0, 2 * rowLength);
        transform.run(line, scratch, inverse);
        System.arraycopy(line, 0, data, start, 2 * rowLength);
      }
    }

    /** Completes the spectrum of a real row, whose first and middle elements are real. */
    private void mirror(int start) {
      data[start + 1] = 0;
      for (int i = 1; 2 * i < rowLength; i++) {
        data[start + 2 * (rowLength - i)] = data[start + 2 * i];
        data[start + 2 * (rowLength - i) + 1] = -data[start + 2 * i + 1];
      }
      if (rowLength % 2 == 0) {
        data[start + rowLength + 1] = 0;
      }
    }

    /** Transforms along a dimension whose elements are {@code stride} apart. */
    private void transformColumns(FourierTransform transform, int stride) {
      int length = transform.length();
      int count = data.length / 2 / length;
      for (int i = 0; i < count; i++) {
        int start = i / stride * stride * length + i % stride;
        if (start % rowLength < columns) {
          for (int j = 0; j < length; j++) {
            line[2 * j] = data[2 * (start + j * stride)];
            line[2 * j + 1] = data[2 * (start + j * stride) + 1];
          }
          transform.run(line, scratch, inverse);
          for (int j = 0; j < length; j++) {
            data[2 * (start + j * stride)] = line[2 * j];
            data[2 * (start + j * stride) + 1] = line[2 * j + 1];
          }
        }
      }
    }

    /** Returns where a row begins in a tensor's block of the given shape, in elements. */
    private long offset(int row, Shape shape) {
      long offset = 0;
      long stride = shape.size(shape.rank() - 1);
      long rest = row;
      for (int axis = transforms.length - 2; axis >= 0; axis--) {
        offset += rest % lengths[axis] * stride;
        rest /= lengths[axis];
        stride *= shape.size(axis);
      }
      return offset;
    }
  }

  private static double part(DataType type, long address, int element, int part) {
    int place = type.isComplex() ? 2 * element + part : element;
    boolean wide = type == DataType.DOUBLE || type == DataType.COMPLEX128;
    return wide ? Memory.getDouble(address + 8L * place) : Memory.getFloat(address + 4L * place);
  }

  private static void put(DataType type, long address, int element, int part, double value) {
    int place = type.isComplex() ? 2 * element + part : element;
    if (type == DataType.DOUBLE || type == DataType.COMPLEX128) {
      Memory.putDouble(address + 8L * place, value);
    } else {
      Memory.putFloat(address + 4L * place, (float) value);
    }
  }
}
