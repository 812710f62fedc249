package dev.tributary.kernel.array;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Memory;
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
      Arrays.fill(target.objects(), value.objects()[0]);
      return;
    }
    int size = target.type().size();
    Memory.copy(value.address(), target.address(), size);
    repeat(target, size);
  }

  public static void zeros(Tensor target) {
    if (target.type() == DataType.STRING) {
      Arrays.fill(target.objects(), new byte[0]);
    } else if (!target.type().isObject()) {
      Memory.fill(target.address(), target.byteSize(), (byte) 0);
    }
  }

  public static void ones(Tensor target) {
    if (target.elementCount() == 0) {
      return;
    }
    long address = target.address();
    switch (target.type()) {
      case FLOAT:
        Memory.putFloat(address, 1);
        break;
      case DOUBLE:
        Memory.putDouble(address, 1);
        break;
      case INT64:
        Memory.putLong(address, 1);
        break;
      case INT32:
        Memory.putInt(address, 1);
        break;
      case INT16:
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
    long address = target.address();
    while (done < bytes) {
      long step = Math.min(done, bytes - done);
      Memory.copy(address, address + done, step);
      done += step;
    }
  }
}
