package dev.tributary.internal.kernel.training;

import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import java.util.Arrays;

/**
 * A {@link Tile} of floats. Elements of float16 and bfloat16 are floats in the tile and are rounded
 * when they are stored.
 */
final class FloatTile extends Tile {
  private final DataType type;
  private final float[] values = new float[LENGTH];
  private int length;

  FloatTile(DataType type) {
    this.type = type;
  }

  @Override
  void load(long address, int count) {
    length = count;
    if (type == DataType.FLOAT) {
      Memory.copy(address, values, 0, count);
      return;
    }
    RealElements elements = RealElements.of(type);
    for (int i = 0; i < count; i++) {
      values[i] = (float) elements.get(address + (long) i * elements.size());
    }
  }

  @Override
  void store(long address) {
    if (type == DataType.FLOAT) {
      Memory.copy(values, 0, address, length);
      return;
    }
    RealElements elements = RealElements.of(type);
    for (int i = 0; i < length; i++) {
      elements.put(address + (long) i * elements.size(), values[i]);
    }
  }

  @Override
  void resize(Tile other) {
    length = ((FloatTile) other).length;
  }

  @Override
  void copy(Tile x) {
    System.arraycopy(of(x), 0, values, 0, length);
  }

  @Override
  void square(Tile x) {
    float[] a = values;
    float[] b = of(x);
    for (int i = 0; i < length; i++) {
      a[i] = b[i] * b[i];
    }
  }

  @Override
  void add(Tile x) {
    float[] a = values;
    float[] b = of(x);
    for (int i = 0; i < length; i++) {
      a[i] += b[i];
    }
  }

  @Override
  void addScaled(Tile x, double factor) {
    float[] a = values;
    float[] b = of(x);
    float f = (float) factor;
    for (int i = 0; i < length; i++) {
      a[i] += f * b[i];
    }
  }

  @Override
  void approach(Tile x, double rate) {
    float[] a = values;
    float[] b = of(x);
    float r = (float) rate;
    for (int i = 0; i < length; i++) {
      a[i] += (b[i] - a[i]) * r;
    }
  }

  @Override
  void offset(double term) {
    float[] a = values;
    float t = (float) term;
    for (int i = 0; i < length; i++) {
      a[i] += t;
    }
  }

  @Override
  void scale(double factor) {
    float[] a = values;
    float f = (float) factor;
    for (int i = 0; i < length; i++) {
      a[i] *= f;
    }
  }

  @Override
  void multiply(Tile x) {
    float[] a = values;
    float[] b = of(x);
    for (int i = 0; i < length; i++) {
      a[i] *= b[i];
    }
  }

  @Override
  void divide(Tile x) {
    float[] a = values;
    float[] b = of(x);
    for (int i = 0; i < length; i++) {
      a[i] /= b[i];
    }
  }

  @Override
  void sqrt() {
    float[] a = values;
    for (int i = 0; i < length; i++) {
      a[i] = (float) Math.sqrt(a[i]);
    }
  }

  @Override
  void power(double exponent) {
    float[] a = values;
    for (int i = 0; i < length; i++) {
      a[i] = (float) Math.pow(a[i], exponent);
    }
  }

  @Override
  void raiseTo(Tile x) {
    float[] a = values;
    float[] b = of(x);
    for (int i = 0; i < length; i++) {
      a[i] = Math.max(a[i], Math.abs(b[i]));
    }
  }

  @Override
  void shrink(Tile x, double threshold) {
    float[] a = values;
    float[] b = of(x);
    float t = (float) threshold;
    for (int i = 0; i < length; i++) {
      a[i] = Math.abs(b[i]) > t ? (Math.copySign(t, b[i]) - b[i]) / a[i] : 0;
    }
  }

  @Override
  void fill(double value) {
    Arrays.fill(values, 0, length, (float) value);
  }

  @Override
  void signs(Tile x, Tile y) {
    float[] a = values;
    float[] b = of(x);
    float[] c = of(y);
    for (int i = 0; i < length; i++) {
      a[i] = Math.signum(b[i]) * Math.signum(c[i]);
    }
  }

  @Override
  void exp() {
    float[] a = values;
    for (int i = 0; i < length; i++) {
      a[i] = (float) Math.exp(a[i]);
    }
  }

  @Override
  void soften(Tile threshold) {
    float[] a = values;
    float[] b = of(threshold);
    for (int i = 0; i < length; i++) {
      a[i] = Math.signum(a[i]) * Math.max(Math.abs(a[i]) - b[i], 0);
    }
  }

  private static float[] of(Tile x) {
    return ((FloatTile) x).values;
  }
}
