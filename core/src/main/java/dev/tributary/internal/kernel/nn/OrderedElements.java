package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.HalfFloats;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;

/**
 * Elements of any ordered type as longs of the same order: integers as they are, floating ones by
 * their bits.
 */
final class OrderedElements {
  private OrderedElements() {}

  /** A NaN is greater than all else. */
  static long read(DataType type, long address, long i) {
    return switch (type) {
      case FLOAT -> ordered(Memory.getFloat(address + 4 * i));
      case DOUBLE -> ordered(Memory.getDouble(address + 8 * i));
      case INT32 -> Memory.getInt(address + 4 * i);
      case INT64 -> Memory.getLong(address + 8 * i);
      case INT16 -> Memory.getShort(address + 2 * i);
      case INT8 -> Memory.getByte(address + i);
      case UINT8 -> Memory.getByte(address + i) & 0xff;
      case UINT16 -> Memory.getShort(address + 2 * i) & 0xffff;
      case UINT32 -> Memory.getInt(address + 4 * i) & 0xffff_ffffL;
      case UINT64 -> Memory.getLong(address + 8 * i) ^ Long.MIN_VALUE;
      case HALF -> ordered(HalfFloats.halfToFloat(Memory.getShort(address + 2 * i)));
      case BFLOAT16 -> ordered(HalfFloats.bfloat16ToFloat(Memory.getShort(address + 2 * i)));
      default -> throw unsupported(type);
    };
  }

  /** Stores an integer, cut to the type's width. */
  static void write(DataType type, long address, long i, long value) {
    switch (type) {
      case INT32 -> Memory.putInt(address + 4 * i, (int) value);
      case INT64 -> Memory.putLong(address + 8 * i, value);
      case INT16 -> Memory.putShort(address + 2 * i, (short) value);
      case INT8, UINT8 -> Memory.putByte(address + i, (byte) value);
      default -> throw unsupported(type);
    }
  }

  /** The least integer of a type. */
  static long least(DataType type) {
    return switch (type) {
      case UINT8 -> 0;
      case INT64 -> Long.MIN_VALUE;
      default -> -1L << 8 * type.size() - 1;
    };
  }

  /** The order of a floating number; of a NaN the greatest. */
  static long ordered(double value) {
    long bits = Double.doubleToRawLongBits(value + 0.0); // -0.0 becomes 0.0, its equal
    return bits ^ bits >> 63 & Long.MAX_VALUE;
  }

  private static TributaryException unsupported(DataType type) {
    return TributaryException.internal(
        "a kernel was made for elements of type %s", type.lowerName());
  }
}
