package dev.tributary.internal.kernel.array;

import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.memory.HalfFloats;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Tensor;

/** Single elements of tensors of the floating types, as doubles. */
public final class Reals {
  private Reals() {}

  public static double at(Tensor tensor, long i) {
    long address = tensor.storage().address() + i * tensor.type().size();
    switch (tensor.type()) {
      case DOUBLE:
        return Memory.getDouble(address);
      case FLOAT:
        return Memory.getFloat(address);
      case HALF:
        return HalfFloats.halfToFloat(Memory.getShort(address));
      default:
        return HalfFloats.bfloat16ToFloat(Memory.getShort(address));
    }
  }

  /** Sets an element to the number of its type that is nearest to {@code value}. */
  public static void put(Tensor tensor, long i, double value) {
    long address = tensor.storage().address() + i * tensor.type().size();
    switch (tensor.type()) {
      case DOUBLE:
        Memory.putDouble(address, value);
        break;
      case FLOAT:
        Memory.putFloat(address, (float) value);
        break;
      case HALF:
        Memory.putShort(address, HalfFloats.floatToHalf((float) value));
        break;
      default:
        Memory.putShort(address, HalfFloats.floatToBfloat16((float) value));
    }
  }

  public static double[] all(Tensor tensor) {
    double[] values = new double[ArrayLength.of(tensor.elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = at(tensor, i);
    }
    return values;
  }
}
