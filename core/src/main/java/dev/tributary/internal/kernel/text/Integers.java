package dev.tributary.internal.kernel.text;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Tensor;

/** Elements of any integer type. */
final class Integers {
  private Integers() {}

  static long at(Tensor tensor, long i) {
    long address = tensor.storage().address() + i * tensor.type().size();
    switch (tensor.type()) {
      case INT8:
        return Memory.getByte(address);
      case UINT8:
        return Memory.getByte(address) & 0xff;
      case INT16:
        return Memory.getShort(address);
      case INT32:
        return Memory.getInt(address);
      case INT64:
        return Memory.getLong(address);
      default:
        throw TributaryException.internal("%s is not an integer type", tensor.type().lowerName());
    }
  }
}
