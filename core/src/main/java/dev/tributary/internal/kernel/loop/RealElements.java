package dev.tributary.internal.kernel.loop;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.HalfFloats;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;

/**
 * Single elements of the floating types, read and written as doubles. A sum or product of two
 * elements in double, stored, is what the element type itself gives.
 */
public enum RealElements {
  FLOAT(Float.BYTES) {
    @Override
    public double get(long address) {
      return Memory.getFloat(address);
    }

    @Override
    public void put(long address, double value) {
      Memory.putFloat(address, (float) value);
    }

    @Override
    public double round(double value) {
      return (float) value;
    }
  },

  DOUBLE(Double.BYTES) {
    @Override
    public double get(long address) {
      return Memory.getDouble(address);
    }

    @Override
    public void put(long address, double value) {
      Memory.putDouble(address, value);
    }

    @Override
    public double round(double value) {
      return value;
    }
  },

  HALF(Short.BYTES) {
    @Override
    public double get(long address) {
      return HalfFloats.halfToFloat(Memory.getShort(address));
    }

    @Override
    public void put(long address, double value) {
      Memory.putShort(address, HalfFloats.floatToHalf((float) value));
    }

    @Override
    public double round(double value) {
      return HalfFloats.halfToFloat(HalfFloats.floatToHalf((float) value));
    }
  },

  BFLOAT16(Short.BYTES) {
    @Override
    public double get(long address) {
      return HalfFloats.bfloat16ToFloat(Memory.getShort(address));
    }

    @Override
    public void put(long address, double value) {
      Memory.putShort(address, HalfFloats.floatToBfloat16((float) value));
    }

    @Override
    public double round(double value) {
      return HalfFloats.bfloat16ToFloat(HalfFloats.floatToBfloat16((float) value));
    }
  };

  private final int size;

  RealElements(int size) {
    this.size = size;
  }

  /** The elements of a floating type; fails with UNIMPLEMENTED for others. */
  public static RealElements of(DataType type) {
    return switch (type) {
      case FLOAT -> FLOAT;
      case DOUBLE -> DOUBLE;
      case HALF -> HALF;
      case BFLOAT16 -> BFLOAT16;
      default ->
          throw TributaryException.unimplemented(
              "no kernel for type %s; supported: bfloat16, half, float, double", type.lowerName());
    };
  }

  /** Bytes of an element. */
  public int size() {
    return size;
  }

  public abstract double get(long address);

  public abstract void put(long address, double value);

  /** The nearest value that an element can have. */
  public abstract double round(double value);

  /** Adds a value, rounded to the element type, to an element. */
  public final void add(long address, double value) {
    put(address, get(address) + round(value));
  }
}
