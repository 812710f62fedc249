package dev.tributary.internal.collective;

import dev.tributary.internal.memory.HalfFloats;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Tensor;

/** Whole numbers as elements of any of the types that are reduced. */
final class Numbers {
  private Numbers() {}

  static void put(Tensor tensor, int i, int value) {
    long address = tensor.storage().address() + (long) i * tensor.type().size();
    switch (tensor.type()) {
      case FLOAT -> Memory.putFloat(address, value);
      case DOUBLE -> Memory.putDouble(address, value);
      case INT32 -> Memory.putInt(address, value);
      case INT64 -> Memory.putLong(address, value);
      case HALF -> Memory.putShort(address, HalfFloats.floatToHalf(value));
      default -> Memory.putShort(address, HalfFloats.floatToBfloat16(value));
    }
  }

  static int get(Tensor tensor, int i) {
    long address = tensor.storage().address() + (long) i * tensor.type().size();
    return switch (tensor.type()) {
      case FLOAT -> (int) Memory.getFloat(address);
      case DOUBLE -> (int) Memory.getDouble(address);
      case INT32 -> Memory.getInt(address);
      case INT64 -> (int) Memory.getLong(address);
      case HALF -> (int) HalfFloats.halfToFloat(Memory.getShort(address));
      default -> (int) HalfFloats.bfloat16ToFloat(Memory.getShort(address));
    };
  }
}
