package dev.tributary.internal.kernel.loop;

import dev.tributary.internal.memory.HalfFloats;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Random;
import java.util.function.LongToDoubleFunction;

/**
 * Plain reads and writes of single elements of any type as doubles, for tests to compare loops
 * with.
 */
final class Elements {
  static final DataType[] ARITHMETIC = {
    DataType.FLOAT,
    DataType.DOUBLE,
    DataType.INT32,
    DataType.INT64,
    DataType.UINT8,
    DataType.INT8,
    DataType.INT16,
    DataType.HALF,
    DataType.BFLOAT16
  };

  private Elements() {}

  static double get(Tensor tensor, long index) {
    long at = tensor.storage().address() + index * tensor.type().size();
    switch (tensor.type()) {
      case FLOAT:
        return Memory.getFloat(at);
      case DOUBLE:
        return Memory.getDouble(at);
      case INT32:
        return Memory.getInt(at);
      case INT64:
        return Memory.getLong(at);
      case UINT8:
        return Memory.getByte(at) & 0xff;
      case INT8:
      case BOOL:
        return Memory.getByte(at);
      case INT16:
        return Memory.getShort(at);
      case HALF:
        return HalfFloats.halfToFloat(Memory.getShort(at));
      case BFLOAT16:
        return HalfFloats.bfloat16ToFloat(Memory.getShort(at));
      default:
        throw new AssertionError(tensor.type());
    }
  }

  static void put(Tensor tensor, long index, double value) {
    long at = tensor.storage().address() + index * tensor.type().size();
    switch (tensor.type()) {
      case FLOAT:
        Memory.putFloat(at, (float) value);
        break;
      case DOUBLE:
        Memory.putDouble(at, value);
        break;
      case INT32:
        Memory.putInt(at, (int) value);
        break;
      case INT64:
        Memory.putLong(at, (long) value);
        break;
      case UINT8:
      case INT8:
      case BOOL:
        Memory.putByte(at, (byte) (long) value);
        break;
      case INT16:
        Memory.putShort(at, (short) (long) value);
        break;
      case HALF:
        Memory.putShort(at, HalfFloats.floatToHalf((float) value));
        break;
      case BFLOAT16:
        Memory.putShort(at, HalfFloats.floatToBfloat16((float) value));
        break;
      default:
        throw new AssertionError(tensor.type());
    }
  }

  static Tensor fill(DataType type, Shape shape, LongToDoubleFunction values) {
    Tensor tensor = Tensor.allocate(type, shape);
    for (long i = 0; i < tensor.elementCount(); i++) {
      put(tensor, i, values.applyAsDouble(i));
    }
    return tensor;
  }

  /** Whole numbers from 0 to {@code bound}, so that arithmetic is exact in every type. */
  static Tensor small(DataType type, Shape shape, int bound, long seed) {
    Random random = new Random(seed);
    return fill(type, shape, i -> random.nextInt(bound + 1));
  }

  /** The index of the operand's element at the result's coordinates, found the slow way. */
  static long broadcastIndex(Shape operand, Shape result, long index) {
    long at = 0;
    long step = 1;
    for (int i = result.rank() - 1, own = operand.rank() - 1; own >= 0; i--, own--) {
      long coordinate = index % result.size(i);
      index /= result.size(i);
      at += operand.size(own) == 1 ? 0 : coordinate * step;
      step *= operand.size(own);
    }
    return at;
  }
}
