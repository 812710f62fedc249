package dev.tributary.internal.kernel.training;

import dev.tributary.tensor.DataType;

/**
 * Some neighbouring elements of a tensor in a heap array, and whole-array arithmetic on them:
 * update rules are written in these words, once for both types, and each word is a loop that the
 * compiler vectorises. Tiles are short enough that all of a rule's stay in the L1 cache between
 * words. Operands have the target's type and length. Confined to one thread.
 */
public abstract sealed class Tile permits FloatTile, DoubleTile {
  /** Elements in a full tile: six tiles of four-byte elements fit half of a 32 KiB cache. */
  static final int LENGTH = 512;

  static Tile of(DataType type) {
    return type == DataType.DOUBLE ? new DoubleTile() : new FloatTile(type);
  }

  abstract void load(long address, int count);

  abstract void store(long address);

  /** Makes this tile as long as {@code other}, with undefined contents. */
  abstract void resize(Tile other);

  /** {@code this = x}. */
  abstract void copy(Tile x);

  /** {@code this = x * x}. */
  abstract void square(Tile x);

  /** {@code this += x}. */
  abstract void add(Tile x);

  /** {@code this += factor * x}. */
  abstract void addScaled(Tile x, double factor);

  /** {@code this += rate * (x - this)}. */
  abstract void approach(Tile x, double rate);

  /** {@code this += term}. */
  abstract void offset(double term);

  /** {@code this *= factor}. */
  abstract void scale(double factor);

  /** {@code this *= x}. */
  abstract void multiply(Tile x);

  /** {@code this /= x}. */
  abstract void divide(Tile x);

  /** {@code this = max(this, |x|)}. */
  abstract void raiseTo(Tile x);

  /** {@code this = sqrt(this)}. */
  abstract void sqrt();

  /** {@code this = pow(this, exponent)}. */
  abstract void power(double exponent);

  /**
   * {@code this = (sign(x) * threshold - x) / this} where {@code |x| > threshold}, and 0 elsewhere.
   */
  abstract void shrink(Tile x, double threshold);

  /** {@code this = value}. */
  abstract void fill(double value);

  /** {@code this = sign(x) * sign(y)}. */
  abstract void signs(Tile x, Tile y);

  /** {@code this = exp(this)}. */
  abstract void exp();

  /** {@code this = sign(this) * max(|this| - threshold, 0)}. */
  abstract void soften(Tile threshold);
}
