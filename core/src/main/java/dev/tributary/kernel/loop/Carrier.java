package dev.tributary.kernel.loop;

import static dev.tributary.tensor.HalfFloats.bfloat16ToFloat;
import static dev.tributary.tensor.HalfFloats.floatToBfloat16;
import static dev.tributary.tensor.HalfFloats.floatToHalf;
import static dev.tributary.tensor.HalfFloats.halfToFloat;
import static dev.tributary.tensor.Memory.getBoolean;
import static dev.tributary.tensor.Memory.getByte;
import static dev.tributary.tensor.Memory.getDouble;
import static dev.tributary.tensor.Memory.getFloat;
import static dev.tributary.tensor.Memory.getInt;
import static dev.tributary.tensor.Memory.getLong;
import static dev.tributary.tensor.Memory.getShort;
import static dev.tributary.tensor.Memory.putByte;
import static dev.tributary.tensor.Memory.putShort;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Memory;
import java.util.Arrays;

/**
 * The five Java types that loops compute with, and how elements of a tensor's type come into an
 * array (a tile) of such a type and back. float16 and bfloat16 are carried as float; uint8, int8
 * and int16 as int, and wrap around when stored.
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
      } else if (type == DataType.INT16) {
        for (int i = 0; i < count; i++) {
          values[at + i] = getShort(from + 2L * i);
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
      } else if (type == DataType.INT16) {
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
      if (count > FEW) {
        Memory.copy(from, values, at, count);
      } else {
        for (int i = 0; i < count; i++) {
          values[at + i] = getLong(from + 8L * i);
        }
      }
    }

    @Override
    void store(DataType type, Object tile, long to, int count) {
      Memory.copy((long[]) tile, 0, to, count);
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
        return INT;
      case INT64:
        return LONG;
      case BOOL:
        return BOOLEAN;
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
}
