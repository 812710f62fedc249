package dev.tributary.internal.kernel.plain;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;

/**
 * Floating elements in memory, read and written as doubles: there are two kinds, so that the JIT
 * inlines both.
 */
enum Reals {
  FLOAT(Float.BYTES) {
    @Override
    double get(long address) {
      return Memory.getFloat(address);
    }

    @Override
    void put(long address, double value) {
      Memory.putFloat(address, (float) value);
    }

    @Override
    void load(long address, long step, int count, double[] to, int at, int stride) {
      for (int i = 0; i < count; i++) {
        to[at + i * stride] = Memory.getFloat(address + i * step);
      }
    }

    @Override
    void store(double[] from, int at, int stride, int count, long address, long step) {
      for (int i = 0; i < count; i++) {
        Memory.putFloat(address + i * step, (float) from[at + i * stride]);
      }
    }
  },

  DOUBLE(Double.BYTES) {
    @Override
    double get(long address) {
      return Memory.getDouble(address);
    }

    @Override
    void put(long address, double value) {
      Memory.putDouble(address, value);
    }

    @Override
    void load(long address, long step, int count, double[] to, int at, int stride) {
      for (int i = 0; i < count; i++) {
        to[at + i * stride] = Memory.getDouble(address + i * step);
      }
    }

    @Override
    void store(double[] from, int at, int stride, int count, long address, long step) {
      for (int i = 0; i < count; i++) {
        Memory.putDouble(address + i * step, from[at + i * stride]);
      }
    }
  };

  private final int size;

  Reals(int size) {
    this.size = size;
  }

  static Reals of(DataType type) {
    return switch (type) {
      case FLOAT -> FLOAT;
      case DOUBLE -> DOUBLE;
      default ->
          throw TributaryException.unimplemented(
              "element type %s, wanted float or double", type.lowerName());
    };
  }

  int size() {
    return size;
  }

  abstract double get(long address);

  abstract void put(long address, double value);

  /**
   * Reads {@code count} elements, {@code step} bytes apart, to every {@code stride}-th place from
   * {@code at} on.
   */
  abstract void load(long address, long step, int count, double[] to, int at, int stride);

  abstract void store(double[] from, int at, int stride, int count, long address, long step);

  /** Reads a dense vector. */
  double[] vector(long address, long count) {
    final double[] vector = new double[ArrayLength.of(count)];
    load(address, size, vector.length, vector, 0, 1);
    return vector;
  }

  void storeVector(double[] from, long address) {
    store(from, 0, 1, from.length, address, size);
  }

  /** The lowest finite value of the element type. */
  double lowest() {
    return this == FLOAT ? -Float.MAX_VALUE : -Double.MAX_VALUE;
  }
}
