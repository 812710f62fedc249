package dev.tributary.internal.kernel.quantize;

import dev.tributary.tensor.DataType;

/** The least and the greatest number of a quantised type, and the real numbers they stand for. */
record QuantizedRange(long least, long greatest) {
  static QuantizedRange of(DataType type) {
    int bits = 8 * type.size();
    boolean unsigned = type == DataType.QUINT8 || type == DataType.QUINT16;
    long least = unsigned ? 0 : -1L << bits - 1;
    return new QuantizedRange(least, least + (1L << bits) - 1);
  }

  boolean isSigned() {
    return least < 0;
  }

  /** The distance of the least and the greatest number. */
  double width() {
    return (double) greatest - least;
  }

  /** The nearest number of the type. */
  long clamp(long number) {
    return Math.max(least, Math.min(greatest, number));
  }

  /** The real number that an element stands for if the type spans these real numbers. */
  float toReal(long number, float min, float max) {
    if (min == max) {
      return min;
    }
    double steps = width() + 1;
    double scale = (max - min) * (steps / (steps - 1)) / steps;
    double first = round(min / (float) scale) * (float) scale;
    return (float) (first + ((double) number - least) * scale);
  }

  /** The nearest integer as a float; of two, the one further from zero. */
  static float round(float value) {
    return Math.copySign((float) Math.floor(Math.abs((double) value) + 0.5), value);
  }
}
