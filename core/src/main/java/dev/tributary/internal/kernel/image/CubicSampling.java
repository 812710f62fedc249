package dev.tributary.internal.kernel.image;

import dev.tributary.internal.kernel.ArrayLength;

/**
 * The four pixels of one dimension of an image, and their weights, that each pixel of the image
 * resized by cubic convolution is made of. Weights come from a table of 1024 steps between two
 * pixels, as in TensorFlow.
 */
final class CubicSampling {
  /** The number of pixels that one pixel is made of. */
  static final int TAPS = 4;

  private static final int STEPS = 1 << 10;
  private static final float[] KEYS = table(-0.5);
  private static final float[] LEGACY = table(-0.75);

  /** Below this sum, weights are not scaled. */
  private static final float SMALLEST_SUM = 1000 * Float.MIN_NORMAL;

  private final int[] pixels;
  private final float[] weights;

  private CubicSampling(int[] pixels, float[] weights) {
    this.pixels = pixels;
    this.weights = weights;
  }

  static CubicSampling of(Sampling.Alignment alignment, long original, long resized) {
    float scale = alignment.scale(original, resized);
    int length = ArrayLength.of(resized * TAPS);
    CubicSampling sampling = new CubicSampling(new int[length], new float[length]);
    for (int i = 0; i < resized; i++) {
      sampling.set(i, alignment.place(i, scale), original, alignment.halfPixelCenters());
    }
    return sampling;
  }

  /**
   * With centers in the middle of pixels, those beyond the edge have no weight; otherwise, the
   * pixel at the edge takes their place.
   */
  private void set(int i, float place, long original, boolean halfPixelCenters) {
    long before = (long) Math.floor(place);
    int step = (int) Math.rint((place - before) * STEPS);
    float[] table = halfPixelCenters ? KEYS : LEGACY;
    float sum = 0;
    for (int tap = 0; tap < TAPS; tap++) {
      long pixel = before + tap - 1;
      long inside = Math.min(original - 1, Math.max(0, pixel));
      pixels[TAPS * i + tap] = (int) inside;
      boolean counts = !halfPixelCenters || inside == pixel;
      weights[TAPS * i + tap] = counts ? weight(table, tap, step) : 0;
      sum += weights[TAPS * i + tap];
    }
    if (halfPixelCenters && Math.abs(sum) >= SMALLEST_SUM) {
      float factor = 1 / sum;
      for (int tap = 0; tap < TAPS; tap++) {
        weights[TAPS * i + tap] *= factor;
      }
    }
  }

  private static float weight(float[] table, int tap, int step) {
    int distance = tap < 2 ? step : STEPS - step;
    boolean isInner = tap == 1 || tap == 2;
    return table[2 * distance + (isInner ? 0 : 1)];
  }

  /** The weights of an inner and an outer pixel for each step between two pixels. */
  private static float[] table(double a) {
    float[] table = new float[2 * (STEPS + 1)];
    for (int i = 0; i <= STEPS; i++) {
      double near = (float) i / STEPS;
      table[2 * i] = (float) (((a + 2) * near - (a + 3)) * near * near + 1);
      double far = near + 1;
      table[2 * i + 1] = (float) (((a * far - 5 * a) * far + 8 * a) * far - 4 * a);
    }
    return table;
  }

  int length() {
    return pixels.length / TAPS;
  }

  int pixel(int i, int tap) {
    return pixels[TAPS * i + tap];
  }

  float weight(int i, int tap) {
    return weights[TAPS * i + tap];
  }
}
