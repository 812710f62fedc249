package dev.tributary.internal.kernel.array;

import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.memory.Variant;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/** Sets all elements of a tensor to one value. */
public final class Fill {
  private static final short HALF_ONE = 0x3c00;
  private static final short BFLOAT16_ONE = 0x3f80;

  private Fill() {}

  /** Fills {@code target} with the first element of {@code value}, which has the same type. */
  public static void with(Tensor value, Tensor target) {
    if (target.elementCount() == 0) {
      return;
    }
    if (target.type().isObject()) {
      Object[] elements = target.objects();
      for (int i = 0; i < elements.length; i++) {
        Variant.put(elements, i, value.objects()[0]);
      }
      return;
    }
    int size = target.type().size();
    Memory.copy(value.storage().address(), target.storage().address(), size);
    repeat(target, size);
  }

  public static void zeros(Tensor target) {
    if (target.type() == DataType.STRING) {
      Arrays.fill(target.objects(), new byte[0]);
    } else if (!target.type().isObject()) {
      Memory.fill(target.storage().address(), target.byteSize(), (byte) 0);
    }
  }

  public static void ones(Tensor target) {
    if (target.elementCount() == 0) {
      return;
    }
    long address = target.storage().address();
    switch (target.type()) {
      case COMPLEX64:
        Memory.putLong(address, 0);
        Memory.putFloat(address, 1);
        break;
      case COMPLEX128:
        Memory.putDouble(address, 1);
        Memory.putDouble(address + 8, 0);
        break;
      case FLOAT:
        Memory.putFloat(address, 1);
        break;
      case DOUBLE:
        Memory.putDouble(address, 1);
        break;
      case INT64:
      case UINT64:
        Memory.putLong(address, 1);
        break;
      case INT32:
      case UINT32:
      case QINT32:
        Memory.putInt(address, 1);
        break;
      case INT16:
      case UINT16:
      case QINT16:
      case QUINT16:
        Memory.putShort(address, (short) 1);
        break;
      case HALF:
        Memory.putShort(address, HALF_ONE);
        break;
      case BFLOAT16:
        Memory.putShort(address, BFLOAT16_ONE);
        break;
      default:
        Memory.putByte(address, (byte) 1);
    }
    repeat(target, target.type().size());
  }

  /** Copies what is there to the rest, twice as much each time. */
  private static void repeat(Tensor target, long done) {
    long bytes = target.byteSize();
    long address = target.storage().address();
    while (done < bytes) {
      long step = Math.min(done, bytes - done);
      Memory.copy(address, address + done, step);
      done += step;
    }
  }
}
