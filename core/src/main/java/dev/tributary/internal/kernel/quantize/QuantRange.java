package dev.tributary.internal.kernel.quantize;

import dev.tributary.error.TributaryException;
import dev.tributary.op.Attributes;

/**
 * A range of floats that is cut into even steps, moved a little so that 0 is one of them. Computed
 * in float, as TensorFlow does.
 *
 * @param everything whether the range was [0, 0], which rounds all values to 0 and lets all
 *     gradients through
 */
record QuantRange(float min, float max, float scale, boolean everything) {
  /** The first and last number of a step. */
  record Steps(int first, int last) {
    static Steps of(Attributes attributes) {
      long bits = attributes.integer("num_bits");
      if (bits < 2 || bits > 16) {
        throw TributaryException.invalidArgument(
            "num_bits must be between 2 and 16, inclusive, got %d", bits);
      }
      return new Steps(attributes.bool("narrow_range") ? 1 : 0, (1 << bits) - 1);
    }

    QuantRange nudged(float min, float max) {
      if (min == 0 && max == 0) {
        return new QuantRange(0, 0, 1, true);
      }
      float scale = (max - min) / (last - first);
      float zero = first - min / scale;
      int step = zero < first ? first : zero > last ? last : (int) Math.floor(zero + 0.5);
      return new QuantRange((first - step) * scale, (last - step) * scale, scale, false);
    }
  }

  float round(float value) {
    if (everything) {
      return 0;
    }
    float inverse = 1 / scale;
    float zero = (float) Math.floor(-min * inverse + 0.5f);
    float clamped = Math.max(Math.min(value, max), min);
    return (float) Math.floor((clamped - min) * inverse - zero + 0.5f) * scale;
  }

  boolean has(float value) {
    return everything || value >= min && value <= max;
  }

  boolean isBelow(float value) {
    return !everything && value < min;
  }

  boolean isAbove(float value) {
    return !everything && value > max;
  }
}
