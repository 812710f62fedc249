package dev.tributary.optable;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.stream.Stream;

/** What the rows of the ops that move elements around draw alike. */
final class ArrayDraws {
  static final DataType[] COMPLEX = {DataType.COMPLEX64, DataType.COMPLEX128};

  static final DataType[] ALL_BUT_COMPLEX = {
    DataType.FLOAT,
    DataType.DOUBLE,
    DataType.INT32,
    DataType.INT64,
    DataType.UINT8,
    DataType.INT8,
    DataType.INT16,
    DataType.BOOL,
    DataType.HALF,
    DataType.BFLOAT16,
    DataType.STRING
  };

  /** The types that an op takes which only moves elements. */
  static final DataType[] ALL =
      Stream.concat(Stream.of(ALL_BUT_COMPLEX), Stream.of(COMPLEX)).toArray(DataType[]::new);

  private ArrayDraws() {}

  /** A shape of at least the lower rank, which a scalar draw has exactly. */
  static Shape shape(Draw d, int lowRank, int highRank) {
    if (d.size() != Draw.Size.SCALAR) {
      return d.shape(lowRank, highRank);
    }
    long[] sizes = new long[lowRank];
    for (int i = 0; i < lowRank; i++) {
      sizes[i] = d.integer(1, 5);
    }
    return Shape.of(sizes);
  }

  /**
   * A type for indices and sizes: int32 where stock's native gradients are asked, which know no
   * other.
   */
  static DataType indexType(Draw d) {
    return hasGradient(d) ? DataType.INT32 : d.oneOf(DataType.INT32, DataType.INT64);
  }

  /** The same with int16, for the ops that take it. */
  static DataType anyIndexType(Draw d) {
    return hasGradient(d)
        ? DataType.INT32
        : d.oneOf(DataType.INT16, DataType.INT32, DataType.INT64);
  }

  /** Returns whether gradients are asked for elements of the drawn type. */
  static boolean hasGradient(Draw d) {
    return d.type().isFloating() || d.type().isComplex();
  }

  /** A vector of sizes or indices in one of the integer types. */
  static Tensor vector(DataType type, long... values) {
    return integers(type, Shape.of(values.length), values);
  }

  static Tensor scalar(DataType type, long value) {
    return integers(type, Shape.scalar(), value);
  }

  static Tensor integers(DataType type, Shape shape, long... values) {
    switch (type) {
      case INT64:
        return Tensor.of(shape, values);
      case INT32:
        int[] ints = new int[values.length];
        java.util.Arrays.setAll(ints, i -> (int) values[i]);
        return Tensor.of(shape, ints);
      case INT16:
        short[] shorts = new short[values.length];
        for (int i = 0; i < shorts.length; i++) {
          shorts[i] = (short) values[i];
        }
        return Tensor.of(type, shape, shorts);
      default:
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
          bytes[i] = (byte) values[i];
        }
        return Tensor.of(type, shape, bytes);
    }
  }

  /** An axis of a tensor of this rank, counted from either end. */
  static int axis(Draw d, int rank) {
    int axis = d.integer(0, rank - 1);
    return d.flip() ? axis : axis - rank;
  }

  static int fromFront(int axis, int rank) {
    return axis < 0 ? axis + rank : axis;
  }
}
