package dev.tributary.internal.kernel.summary;

import dev.tributary.internal.memory.HalfFloats;
import dev.tributary.tensor.DataType;

/**
 * Brings the numbers of an image to bytes as TensorFlow does: {@code value * scale + offset}, with
 * each result in the image's own type. Pixels with a number that is not finite get a colour
 * instead, and do not count for the scale. Immutable.
 */
record ImageScale(DataType type, float scale, float offset) {
  private static final float SMALLEST = 1e-6f;
  private static final float GREATEST = 255;
  private static final float MIDDLE = 128;

  /**
   * The bytes of an image.
   *
   * @param values pixel by pixel, {@code badColor.length} channels at most in each
   */
  static byte[] of(DataType type, double[] values, int channels, byte[] badColor) {
    byte[] samples = new byte[values.length];
    ImageScale scale = fitting(type, values, channels);
    for (int pixel = 0; pixel < values.length; pixel += channels) {
      if (!isFinite(values, pixel, channels)) {
        System.arraycopy(badColor, 0, samples, pixel, channels);
        continue;
      }
      for (int i = pixel; i < pixel + channels; i++) {
        samples[i] = (byte) scale.apply(values[i]);
      }
    }
    return samples;
  }

  private static ImageScale fitting(DataType type, double[] values, int channels) {
    float least = Float.POSITIVE_INFINITY;
    float greatest = Float.NEGATIVE_INFINITY;
    for (int pixel = 0; pixel < values.length; pixel += channels) {
      if (isFinite(values, pixel, channels)) {
        for (int i = pixel; i < pixel + channels; i++) {
          least = Math.min(least, (float) values[i]);
          greatest = Math.max(greatest, (float) values[i]);
        }
      }
    }
    float most = least < 0 ? Math.max(-least, Math.abs(greatest)) : greatest;
    float range = least < 0 ? GREATEST - MIDDLE : GREATEST;
    return new ImageScale(type, most < SMALLEST ? 0 : range / most, least < 0 ? MIDDLE : 0);
  }

  private int apply(double value) {
    switch (type) {
      case DOUBLE:
        return (int) (value * scale + offset);
      case HALF:
        return (int) half(half((float) value * half(scale)) + offset);
      default:
        return (int) ((float) value * scale + offset);
    }
  }

  private static float half(float value) {
    return HalfFloats.halfToFloat(HalfFloats.floatToHalf(value));
  }

  private static boolean isFinite(double[] values, int pixel, int channels) {
    for (int i = pixel; i < pixel + channels; i++) {
      if (!Double.isFinite(values[i])) {
        return false;
      }
    }
    return true;
  }
}
