package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** Small int32 or int64 tensors that hold sizes, axes and indices. */
public final class IndexTensors {
  private IndexTensors() {}

  /** Sets output {@code i} to a vector of the given values, in the output's type. */
  public static void setVector(KernelContext context, int i, long... values) {
    write(context.allocateOutput(i, Shape.of(values.length)), values);
  }

  public static void setScalar(KernelContext context, int i, long value) {
    write(context.allocateOutput(i, Shape.scalar()), value);
  }

  /** The value of a scalar int32 or int64 tensor. */
  public static long scalar(Tensor tensor, String what) {
    if (tensor.elementCount() != 1) {
      throw TributaryException.invalidArgument(
          "%s must have one element, got shape %s", what, tensor.shape());
    }
    return tensor.getIndex(0);
  }

  public static void requireScalar(Tensor tensor, String what) {
    if (tensor.rank() != 0) {
      throw TributaryException.invalidArgument(
          "%s must be a scalar, got shape %s", what, tensor.shape());
    }
  }

  /** The sizes that a vector of type int32 or int64 holds, as a shape; none may be negative. */
  public static Shape toShape(Tensor sizes) {
    if (sizes.rank() > 1) {
      throw TributaryException.invalidArgument(
          "a shape must be a vector, got shape %s", sizes.shape());
    }
    long[] values = sizes.toIndices();
    for (int i = 0; i < values.length; i++) {
      if (values[i] < 0) {
        throw TributaryException.invalidArgument(
            "size %d of a shape must not be negative, got %d", i, values[i]);
      }
    }
    return Shape.of(values);
  }

  /** An element of a tensor of any integer or quantised type; of an uint64 its bits. */
  public static long at(Tensor tensor, long i) {
    long address = tensor.storage().address();
    switch (tensor.type()) {
      case INT64:
      case UINT64:
        return Memory.getLong(address + 8 * i);
      case INT32:
      case QINT32:
        return Memory.getInt(address + 4 * i);
      case UINT32:
        return Memory.getInt(address + 4 * i) & 0xffff_ffffL;
      case INT16:
      case QINT16:
        return Memory.getShort(address + 2 * i);
      case UINT16:
      case QUINT16:
        return Memory.getShort(address + 2 * i) & 0xffff;
      case UINT8:
      case QUINT8:
        return Memory.getByte(address + i) & 0xff;
      default:
        return Memory.getByte(address + i);
    }
  }

  /** Sets an element of any integer or quantised type; what does not fit wraps around. */
  public static void put(Tensor tensor, long i, long value) {
    long address = tensor.storage().address();
    switch (tensor.type()) {
      case INT64:
      case UINT64:
        Memory.putLong(address + 8 * i, value);
        break;
      case INT32:
      case UINT32:
      case QINT32:
        Memory.putInt(address + 4 * i, (int) value);
        break;
      case INT16:
      case UINT16:
      case QINT16:
      case QUINT16:
        Memory.putShort(address + 2 * i, (short) value);
        break;
      default:
        Memory.putByte(address + i, (byte) value);
    }
  }

  /** All elements of a tensor of any integer type. */
  public static long[] all(Tensor tensor) {
    long[] values = new long[ArrayLength.of(tensor.elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = at(tensor, i);
    }
    return values;
  }

  /** The elements of a vector of any integer type. */
  public static long[] vector(Tensor tensor, String what) {
    if (tensor.rank() != 1) {
      throw TributaryException.invalidArgument(
          "%s must be a vector, got shape %s", what, tensor.shape());
    }
    return all(tensor);
  }

  /** The same for a vector of a certain length. */
  public static long[] vector(Tensor tensor, String what, int length) {
    long[] values = vector(tensor, what);
    if (values.length != length) {
      throw TributaryException.invalidArgument(
          "%s must have %d elements, got %d", what, length, values.length);
    }
    return values;
  }

  /**
   * The place of an element as TensorFlow's messages put it: {@code [0,2]}, or nothing for a
   * scalar.
   */
  public static String coordinates(Shape shape, long i) {
    StringBuilder text = new StringBuilder();
    long rest = i;
    for (long stride : shape.strides()) {
      text.append(text.length() == 0 ? "" : ",").append(rest / stride);
      rest %= stride;
    }
    return text.length() == 0 ? "" : "[" + text + "]";
  }

  /** Writes values into an int32 or int64 tensor. */
  public static void write(Tensor target, long... values) {
    boolean narrow = target.type() == DataType.INT32;
    for (int i = 0; i < values.length; i++) {
      if (!narrow) {
        Memory.putLong(target.storage().address() + 8L * i, values[i]);
      } else if ((int) values[i] == values[i]) {
        Memory.putInt(target.storage().address() + 4L * i, (int) values[i]);
      } else {
        throw TributaryException.invalidArgument(
            "%d does not fit into int32; ask for int64", values[i]);
      }
    }
  }
}
