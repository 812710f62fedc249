package dev.tributary.internal.kernel.training;

import dev.tributary.internal.memory.Memory;
import java.util.Arrays;

/** A {@link Tile} of doubles. */
final class DoubleTile extends Tile {
  private final double[] values = new double[LENGTH];
  private int length;

  @Override
  void load(long address, int count) {
    Memory.copy(address, values, 0, count);
    length = count;
  }

  @Override
  void store(long address) {
    Memory.copy(values, 0, address, length);
  }

  @Override
  void resize(Tile other) {
    length = ((DoubleTile) other).length;
  }

  @Override
  void copy(Tile x) {
    System.arraycopy(of(x), 0, values, 0, length);
  }

  @Override
  void square(Tile x) {
    double[] a = values;
    double[] b = of(x);
    for (int i = 0; i < length; i++) {
      a[i] = b[i] * b[i];
    }
  }

  @Override
  void add(Tile x) {
    double[] a = values;
    double[] b = of(x);
    for (int i = 0; i < length; i++) {
      a[i] += b[i];
    }
  }

  @Override
  void addScaled(Tile x, double factor) {
    double[] a = values;
    double[] b = of(x);
    double f = factor;
    for (int i = 0; i < length; i++) {
      a[i] += f * b[i];
    }
  }

  @Override
  void approach(Tile x, double rate) {
    double[] a = values;
    double[] b = of(x);
    double r = rate;
    for (int i = 0; i < length; i++) {
      a[i] += (b[i] - a[i]) * r;
    }
  }

  @Override
  void offset(double term) {
    double[] a = values;
    double t = term;
    for (int i = 0; i < length; i++) {
      a[i] += t;
    }
  }

  @Override
  void scale(double factor) {
    double[] a = values;
    double f = factor;
    for (int i = 0; i < length; i++) {
      a[i] *= f;
    }
  }

  @Override
  void multiply(Tile x) {
    double[] a = values;
    double[] b = of(x);
    for (int i = 0; i < length; i++) {
      a[i] *= b[i];
    }
  }

  @Override
  void divide(Tile x) {
    double[] a = values;
    double[] b = of(x);
    for (int i = 0; i < length; i++) {
      a[i] /= b[i];
    }
  }

  @Override
  void sqrt() {
    double[] a = values;
    for (int i = 0; i < length; i++) {
      a[i] = Math.sqrt(a[i]);
    }
  }

  @Override
  void power(double exponent) {
    double[] a = values;
    for (int i = 0; i < length; i++) {
      a[i] = Math.pow(a[i], exponent);
    }
  }

  @Override
  void raiseTo(Tile x) {
    double[] a = values;
    double[] b = of(x);
    for (int i = 0; i < length; i++) {
      a[i] = Math.max(a[i], Math.abs(b[i]));
    }
  }

  @Override
  void shrink(Tile x, double threshold) {
    double[] a = values;
    double[] b = of(x);
    double t = threshold;
    for (int i = 0; i < length; i++) {
      a[i] = Math.abs(b[i]) > t ? (Math.copySign(t, b[i]) - b[i]) / a[i] : 0;
    }
  }

  @Override
  void fill(double value) {
    Arrays.fill(values, 0, length, value);
  }

  @Override
  void signs(Tile x, Tile y) {
    double[] a = values;
    double[] b = of(x);
    double[] c = of(y);
    for (int i = 0; i < length; i++) {
      a[i] = Math.signum(b[i]) * Math.signum(c[i]);
    }
  }

  @Override
  void exp() {
    double[] a = values;
    for (int i = 0; i < length; i++) {
      a[i] = Math.exp(a[i]);
    }
  }

  @Override
  void soften(Tile threshold) {
    double[] a = values;
    double[] b = of(threshold);
    for (int i = 0; i < length; i++) {
      a[i] = Math.signum(a[i]) * Math.max(Math.abs(a[i]) - b[i], 0);
    }
  }

  private static double[] of(Tile x) {
    return ((DoubleTile) x).values;
  }
}
