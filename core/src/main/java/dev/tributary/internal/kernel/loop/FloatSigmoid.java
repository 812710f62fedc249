package dev.tributary.internal.kernel.loop;

import static dev.tributary.internal.memory.Memory.getFloat;
import static dev.tributary.internal.memory.Memory.putFloat;

import dev.tributary.internal.memory.Memory;

/**
 * The logistic function and the hyperbolic tangent of floats, at most 4 units in the last place
 * from the exact value. A NaN stays one. Results do not depend on the number of elements.
 *
 * <p>Both are functions of {@code exp(y)} with {@code y = -x} or {@code y = 2 * x}. With n the
 * whole number nearest to {@code y / ln 2} and r the rest, {@code exp(y) = 2^n * (1 + q(r))}, where
 * q is the series of {@code exp(r) - 1}. The compiler vectorises neither {@link Math#exp} nor, on
 * JDK 17, changes between floats and their bits. So a tile is computed in three loops that it does
 * vectorise, with copies between float and int arrays in place of the changes: 1.3 ns an element
 * rather than 8 to 10.
 */
public enum FloatSigmoid implements UnaryTile {
  /** {@code 1 / (1 + exp(-x))}. Below -88.3, where it would have fewer bits, it is 0. */
  LOGISTIC(-1, -30, 89) {
    @Override
    void finish(float[] y, float[] shifted, float[] powers, int count) {
      for (int i = 0; i < count; i++) {
        y[i] = 1 / (1 + powers[i] * (1 + series(y[i], shifted[i])));
      }
    }

    @Override
    float finish(float y, float shifted, float power) {
      return 1 / (1 + power * (1 + series(y, shifted)));
    }
  },
  /** {@code e / (e + 2)} with {@code e = exp(2 * x) - 1}, which is exact for small numbers too. */
  TANH(2, -20, 20) {
    @Override
    void finish(float[] y, float[] shifted, float[] powers, int count) {
      for (int i = 0; i < count; i++) {
        float e = powers[i] * series(y[i], shifted[i]) - (1 - powers[i]);
        y[i] = e / (e + 2);
      }
    }

    @Override
    float finish(float y, float shifted, float power) {
      float e = power * series(y, shifted) - (1 - power);
      return e / (e + 2);
    }
  };

  private static final float LOG2_E = 1.44269504f;

  /** ln 2 in two parts; products of the first with numbers of up to 8 bits are exact. */
  private static final float LN2_HIGH = 0x1.62e4p-1f;

  private static final float LN2_LOW = 0x1.7f7d1cp-20f;

  /** A number so large that a sum with it has no fraction and ends in the bits of the addend. */
  private static final float SHIFT = 1.5f * (1 << 23);

  private static final int EXPONENT = 23;
  private static final int ONE = 127 << EXPONENT;
  private static final int SHIFTED_SLOT = 2;
  private static final int POWERS_SLOT = 3;

  private final float factor;
  private final float lowest;
  private final float highest;

  FloatSigmoid(float factor, float lowest, float highest) {
    this.factor = factor;
    this.lowest = lowest;
    this.highest = highest;
  }

  @Override
  public void run(Object in, Object out, int count) {
    Tiles tiles = Tiles.own();
    float[] y = (float[]) out;
    float[] shifted = (float[]) tiles.tile(Carrier.FLOAT, SHIFTED_SLOT);
    float[] powers = (float[]) tiles.tile(Carrier.FLOAT, POWERS_SLOT);
    int[] bits = (int[]) tiles.tile(Carrier.INT, 0);
    begin((float[]) in, y, shifted, count);
    Memory.copyBits(shifted, bits, count);
    raise(bits, count);
    Memory.copyBits(bits, powers, count);
    finish(y, shifted, powers, count);
  }

  @Override
  public void direct(long in, long out, int count) {
    for (int i = 0; i < count; i++) {
      float y = clamped(getFloat(in + 4L * i), factor, lowest, highest);
      float shifted = shifted(y);
      float power = Float.intBitsToFloat(power(Float.floatToRawIntBits(shifted)));
      putFloat(out + 4L * i, finish(y, shifted, power));
    }
  }

  private void begin(float[] x, float[] y, float[] shifted, int count) {
    float by = factor;
    float low = lowest;
    float high = highest;
    for (int i = 0; i < count; i++) {
      float clamped = clamped(x[i], by, low, high);
      y[i] = clamped;
      shifted[i] = shifted(clamped);
    }
  }

  private static void raise(int[] bits, int count) {
    for (int i = 0; i < count; i++) {
      bits[i] = power(bits[i]);
    }
  }

  /** Replaces each y by the function. */
  abstract void finish(float[] y, float[] shifted, float[] powers, int count);

  /** The same for one element. */
  abstract float finish(float y, float shifted, float power);

  private static float clamped(float x, float factor, float lowest, float highest) {
    return Math.min(Math.max(x * factor, lowest), highest);
  }

  /** The sum of {@link #SHIFT} and n. */
  private static float shifted(float y) {
    return y * LOG2_E + SHIFT;
  }

  /** The bits of 2^n, from those of n's shifted sum; of infinity for n = 128. */
  private static int power(int bits) {
    return (bits << EXPONENT) + ONE;
  }

  /**
   * {@code exp(r) - 1}, where |r| is at most ln 2 / 2: the next term is below 1e-8. Nothing
   * positive is added to r, so that -0 stays what it is.
   */
  private static float series(float y, float shifted) {
    float n = shifted - SHIFT;
    float r = y - n * LN2_HIGH - n * LN2_LOW;
    float terms = 1 / 720f + r * (1 / 5040f);
    terms = 1 / 120f + r * terms;
    terms = 1 / 24f + r * terms;
    terms = 1 / 6f + r * terms;
    terms = 0.5f + r * terms;
    return r * (1 + r * terms);
  }
}
