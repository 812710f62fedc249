package dev.tributary.internal.kernel.lookup;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;

/**
 * Single elements of tensors as Java values which are equal when the elements are. Strings are byte
 * buffers.
 */
final class Elements {
  private static final Set<DataType> SUPPORTED =
      EnumSet.of(
          DataType.INT32,
          DataType.INT64,
          DataType.FLOAT,
          DataType.DOUBLE,
          DataType.BOOL,
          DataType.STRING);

  private Elements() {}

  static void requireSupport(DataType type) {
    if (!SUPPORTED.contains(type)) {
      throw TributaryException.unimplemented(
          "no table for type %s; supported: %s", type.lowerName(), SUPPORTED);
    }
  }

  static Object get(Tensor tensor, int i) {
    switch (tensor.type()) {
      case INT32:
        return tensor.getInt(i);
      case INT64:
        return tensor.getLong(i);
      case FLOAT:
        return tensor.getFloat(i);
      case DOUBLE:
        return tensor.getDouble(i);
      case BOOL:
        return tensor.getBoolean(i);
      default:
        return ByteBuffer.wrap((byte[]) tensor.objects()[i]);
    }
  }

  static void put(Tensor tensor, int i, Object value) {
    switch (tensor.type()) {
      case INT32:
        Memory.putInt(tensor.storage().address() + 4L * i, (int) value);
        break;
      case INT64:
        Memory.putLong(tensor.storage().address() + 8L * i, (long) value);
        break;
      case FLOAT:
        Memory.putFloat(tensor.storage().address() + 4L * i, (float) value);
        break;
      case DOUBLE:
        Memory.putDouble(tensor.storage().address() + 8L * i, (double) value);
        break;
      case BOOL:
        Memory.putBoolean(tensor.storage().address() + i, (boolean) value);
        break;
      default:
        tensor.objects()[i] = ((ByteBuffer) value).array();
    }
  }

  /** An element of this type from its text. */
  static Object parse(DataType type, byte[] text) {
    if (type == DataType.STRING) {
      return ByteBuffer.wrap(text);
    }
    String number = new String(text, StandardCharsets.UTF_8).trim();
    try {
      switch (type) {
        case INT32:
          return Integer.parseInt(number);
        case INT64:
          return Long.parseLong(number);
        case FLOAT:
          return Float.parseFloat(number);
        case DOUBLE:
          return Double.parseDouble(number);
        default:
          throw TributaryException.invalidArgument("no %s can be read from text", type.lowerName());
      }
    } catch (NumberFormatException e) {
      throw TributaryException.invalidArgument("'%s' is not a valid %s", number, type.lowerName());
    }
  }

  /** Formats an element for a message. */
  static String text(Object element) {
    return element instanceof ByteBuffer
        ? new String(((ByteBuffer) element).array(), StandardCharsets.UTF_8)
        : element.toString();
  }
}
