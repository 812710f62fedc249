package dev.tributary.internal.kernel.loop;

import static dev.tributary.internal.memory.HalfFloats.bfloat16ToFloat;
import static dev.tributary.internal.memory.HalfFloats.floatToBfloat16;
import static dev.tributary.internal.memory.HalfFloats.floatToHalf;
import static dev.tributary.internal.memory.HalfFloats.halfToFloat;
import static dev.tributary.internal.memory.Memory.getBoolean;
import static dev.tributary.internal.memory.Memory.getByte;
import static dev.tributary.internal.memory.Memory.getDouble;
import static dev.tributary.internal.memory.Memory.getFloat;
import static dev.tributary.internal.memory.Memory.getInt;
import static dev.tributary.internal.memory.Memory.getLong;
import static dev.tributary.internal.memory.Memory.getShort;
import static dev.tributary.internal.memory.Memory.putByte;
import static dev.tributary.internal.memory.Memory.putFloat;
import static dev.tributary.internal.memory.Memory.putInt;
import static dev.tributary.internal.memory.Memory.putShort;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import java.util.Arrays;

/**
 * The five Java types that loops compute with, and complex numbers, and how elements of a tensor's
 * type come into an array (a tile) of such a type and back. float16 and bfloat16 are carried as
 * float, complex64 as pairs of doubles; uint8, int8, int16 and uint16 as int, and uint32 as long,
 * and wrap around when stored.
 */
enum Carrier {
  FLOAT(DataType.FLOAT) {
    @Override
    Object newTile(int length) {
      return new float[length];
    }

    @Override
    void spread(Object tile, int at, int count) {
      float[] values = (float[]) tile;
      Arrays.fill(values, at, at + count, values[at]);
    }

    @Override
    void load(DataType type, long from, Object tile, int at, int count) {
      float[] values = (float[]) tile;
      if (type == DataType.FLOAT && count > FEW) {
        Memory.copy(from, values, at, count);
      } else if (type == DataType.FLOAT) {
        for (int i = 0; i < count; i++) {
          values[at + i] = getFloat(from + 4L * i);
        }
      } else if (type == DataType.HALF) {
        for (int i = 0; i < count; i++) {
          values[at + i] = halfToFloat(getShort(from + 2L * i));
        }
      } else {
        for (int i = 0; i < count; i++) {
          values[at + i] = bfloat16ToFloat(getShort(from + 2L * i));
        }
      }
    }

    @Override
    void store(DataType type, Object tile, long to, int count) {
      float[] values = (float[]) tile;
      if (type == DataType.FLOAT) {
        Memory.copy(values, 0, to, count);
      } else if (type == DataType.HALF) {
        for (int i = 0; i < count; i++) {
          putShort(to + 2L * i, floatToHalf(values[i]));
        }
      } else {
        for (int i = 0; i < count; i++) {
          putShort(to + 2L * i, floatToBfloat16(values[i]));
        }
      }
    }
  },

  DOUBLE(DataType.DOUBLE) {
    @Override
    Object newTile(int length) {
      return new double[length];
    }

    @Override
    void spread(Object tile, int at, int count) {
      double[] values = (double[]) tile;
      Arrays.fill(values, at, at + count, values[at]);
    }

    @Override
    void load(DataType type, long from, Object tile, int at, int count) {
      double[] values = (double[]) tile;
      if (count > FEW) {
        Memory.copy(from, values, at, count);
      } else {
        for (int i = 0; i < count; i++) {
          values[at + i] = getDouble(from + 8L * i);
        }
      }
    }

    @Override
    void store(DataType type, Object tile, long to, int count) {
      Memory.copy((double[]) tile, 0, to, count);
    }
  },

  INT(DataType.INT32) {
    @Override
    Object newTile(int length) {
      return new int[length];
    }

    @Override
    void spread(Object tile, int at, int count) {
      int[] values = (int[]) tile;
      Arrays.fill(values, at, at + count, values[at]);
    }

    @Override
    void load(DataType type, long from, Object tile, int at, int count) {
      int[] values = (int[]) tile;
      if (type == DataType.INT32 && count > FEW) {
        Memory.copy(from, values, at, count);
      } else if (type == DataType.INT32) {
        for (int i = 0; i < count; i++) {
          values[at + i] = getInt(from + 4L * i);
        }
      } else if (type.size() == Short.BYTES) {
        int mask = type == DataType.UINT16 ? 0xffff : -1;
        for (int i = 0; i < count; i++) {
          values[at + i] = getShort(from + 2L * i) & mask;
        }
      } else {
        int mask = type == DataType.UINT8 ? 0xff : -1;
        for (int i = 0; i < count; i++) {
          values[at + i] = getByte(from + i) & mask;
        }
      }
    }

    @Override
    void store(DataType type, Object tile, long to, int count) {
      int[] values = (int[]) tile;
      if (type == DataType.INT32) {
        Memory.copy(values, 0, to, count);
      } else if (type.size() == Short.BYTES) {
        for (int i = 0; i < count; i++) {
          putShort(to + 2L * i, (short) values[i]);
        }
      } else {
        for (int i = 0; i < count; i++) {
          putByte(to + i, (byte) values[i]);
        }
      }
    }
  },

  LONG(DataType.INT64) {
    @Override
    Object newTile(int length) {
      return new long[length];
    }

    @Override
    void spread(Object tile, int at, int count) {
      long[] values = (long[]) tile;
      Arrays.fill(values, at, at + count, values[at]);
    }

    @Override
    void load(DataType type, long from, Object tile, int at, int count) {
      long[] values = (long[]) tile;
      if (type == DataType.UINT32) {
        for (int i = 0; i < count; i++) {
          values[at + i] = getInt(from + 4L * i) & 0xffff_ffffL;
        }
      } else if (count > FEW) {
        Memory.copy(from, values, at, count);
      } else {
        for (int i = 0; i < count; i++) {
          values[at + i] = getLong(from + 8L * i);
        }
      }
    }

    @Override
    void store(DataType type, Object tile, long to, int count) {
      long[] values = (long[]) tile;
      if (type == DataType.UINT32) {
        for (int i = 0; i < count; i++) {
          putInt(to + 4L * i, (int) values[i]);
        }
      } else {
        Memory.copy(values, 0, to, count);
      }
    }
  },

  BOOLEAN(DataType.BOOL) {
    @Override
    Object newTile(int length) {
      return new boolean[length];
    }

    @Override
    void spread(Object tile, int at, int count) {
      boolean[] values = (boolean[]) tile;
      Arrays.fill(values, at, at + count, values[at]);
    }

    @Override
    void load(DataType type, long from, Object tile, int at, int count) {
      boolean[] values = (boolean[]) tile;
      if (count > FEW) {
        Memory.copy(from, values, at, count);
      } else {
        for (int i = 0; i < count; i++) {
          values[at + i] = getBoolean(from + i);
        }
      }
    }

    @Override
    void store(DataType type, Object tile, long to, int count) {
      Memory.copy((boolean[]) tile, 0, to, count);
    }
  },

  /** Each element is two doubles of the tile, the real part and the imaginary one. */
  COMPLEX(DataType.COMPLEX128) {
    @Override
    Object newTile(int length) {
      return new double[2 * length];
    }

    @Override
    void spread(Object tile, int at, int count) {
      double[] parts = (double[]) tile;
      for (int i = 1; i < count; i++) {
        parts[2 * (at + i)] = parts[2 * at];
        parts[2 * (at + i) + 1] = parts[2 * at + 1];
      }
    }

    @Override
    void load(DataType type, long from, Object tile, int at, int count) {
      double[] parts = (double[]) tile;
      if (type == DataType.COMPLEX128) {
        DOUBLE.load(DataType.DOUBLE, from, parts, 2 * at, 2 * count);
      } else {
        for (int i = 0; i < 2 * count; i++) {
          parts[2 * at + i] = getFloat(from + 4L * i);
        }
      }
    }

    @Override
    void store(DataType type, Object tile, long to, int count) {
      double[] parts = (double[]) tile;
      if (type == DataType.COMPLEX128) {
        Memory.copy(parts, 0, to, 2 * count);
      } else {
        for (int i = 0; i < 2 * count; i++) {
          putFloat(to + 4L * i, (float) parts[i]);
        }
      }
    }

    @Override
    void copy(Object from, int fromAt, Object to, int toAt, int count) {
      System.arraycopy(from, 2 * fromAt, to, 2 * toAt, 2 * count);
    }
  };

  /**
   * Up to here elements are moved one by one, as a bulk copy costs about ten nanoseconds to begin
   * with.
   */
  private static final int FEW = 8;

  /** The element type whose memory looks like this carrier's arrays. */
  final DataType natural;

  Carrier(DataType natural) {
    this.natural = natural;
  }

  /** Returns whether there is arithmetic for elements of a type. */
  static boolean isOf(DataType type) {
    return type.isFloating()
        || type.isInteger()
        || type == DataType.BOOL
        || type == DataType.UINT16
        || type == DataType.UINT32
        || type.isComplex();
  }

  /** The carrier of an element type; fails for strings and other types without arithmetic. */
  static Carrier of(DataType type) {
    switch (type) {
      case FLOAT:
      case HALF:
      case BFLOAT16:
        return FLOAT;
      case DOUBLE:
        return DOUBLE;
      case INT32:
      case UINT8:
      case INT8:
      case INT16:
      case UINT16:
        return INT;
      case INT64:
      case UINT32:
        return LONG;
      case BOOL:
        return BOOLEAN;
      case COMPLEX64:
      case COMPLEX128:
        return COMPLEX;
      default:
        throw TributaryException.unimplemented(
            "no loop computes with elements of type %s", type.lowerName());
    }
  }

  abstract Object newTile(int length);

  /** Repeats the element at {@code at}, so that there are {@code count} of it. */
  abstract void spread(Object tile, int at, int count);

  /**
   * Reads {@code count} neighbouring elements of {@code type} into the tile, from {@code at} on.
   */
  abstract void load(DataType type, long from, Object tile, int at, int count);

  /** Writes the tile's first {@code count} elements as {@code type}. */
  abstract void store(DataType type, Object tile, long to, int count);

  /** Copies {@code count} elements of a tile to another, or within one. */
  void copy(Object from, int fromAt, Object to, int toAt, int count) {
    System.arraycopy(from, fromAt, to, toAt, count);
  }
}
