package dev.tributary.internal.kernel.image;

import dev.tributary.internal.kernel.ArrayLength;
import java.util.Arrays;

/**
 * For each pixel of one dimension of a result, the run of pixels that it is the weighted sum of.
 * Immutable.
 */
final class Spans {
  /** Below this sum, weights count as zero. */
  private static final float SMALLEST_SUM = 1000 * Float.MIN_NORMAL;

  private static final float[] NONE = {};

  private final int[] starts;
  private final float[][] weights;

  private Spans(int[] starts, float[][] weights) {
    this.starts = starts;
    this.weights = weights;
  }

  /**
   * The pixels around the place of each pixel of the result.
   *
   * @param input the number of pixels that there are
   * @param output the number of pixels of the result
   * @param scale how many pixels of the result are as wide as one pixel
   * @param translation by how many pixels of the result it is moved
   * @param antialias whether the filter is widened when the result is smaller
   */
  static Spans of(
      SamplingFilter filter,
      long input,
      long output,
      float scale,
      float translation,
      boolean antialias) {
    float inverse = (float) (1.0 / scale);
    float offset = -inverse * translation;
    float width = antialias ? Math.max(inverse, 1) : 1;
    int[] starts = new int[ArrayLength.of(output)];
    float[][] weights = new float[starts.length][];
    for (int i = 0; i < starts.length; i++) {
      float place = (i + 0.5f) * inverse + offset;
      weights[i] = NONE;
      if (place >= 0 && place <= input) {
        float reach = filter.radius() * width;
        int first = (int) inside((long) Math.ceil(place - reach - 0.5f), input);
        int last = (int) inside((long) Math.floor(place + reach - 0.5f), input);
        starts[i] = first;
        weights[i] = weights(filter, first, last, place, 1 / width);
      }
    }
    return new Spans(starts, weights);
  }

  private static long inside(long pixel, long size) {
    return Math.min(size - 1, Math.max(0, pixel));
  }

  /** The weights of pixels {@code first} to {@code last}, which add up to 1. */
  private static float[] weights(
      SamplingFilter filter, int first, int last, float place, float narrowing) {
    float[] weights = new float[Math.max(0, last - first + 1)];
    float sum = 0;
    for (int i = 0; i < weights.length; i++) {
      weights[i] = filter.weight(Math.abs((first + i + 0.5f - place) * narrowing));
      sum += weights[i];
    }
    float factor = Math.abs(sum) >= SMALLEST_SUM ? 1 / sum : 0;
    for (int i = 0; i < weights.length; i++) {
      weights[i] *= factor;
    }
    return weights;
  }

  /**
   * The pixels of the result to which each pixel adds, of which there are {@code input}: the spans
   * of the gradient.
   */
  Spans transposed(long input) {
    int[] firsts = new int[ArrayLength.of(input)];
    int[] ends = new int[firsts.length];
    Arrays.fill(firsts, Integer.MAX_VALUE);
    forEach(
        (pixel, i, weight) -> {
          firsts[pixel] = Math.min(firsts[pixel], i);
          ends[pixel] = i + 1;
        });
    float[][] turned = new float[firsts.length][];
    for (int pixel = 0; pixel < turned.length; pixel++) {
      turned[pixel] = firsts[pixel] < ends[pixel] ? new float[ends[pixel] - firsts[pixel]] : NONE;
    }
    forEach((pixel, i, weight) -> turned[pixel][i - firsts[pixel]] = weight);
    return new Spans(firsts, turned);
  }

  /** One weight that is not zero. */
  @FunctionalInterface
  private interface Weight {
    void accept(int pixel, int result, float weight);
  }

  private void forEach(Weight action) {
    for (int i = 0; i < starts.length; i++) {
      for (int tap = 0; tap < weights[i].length; tap++) {
        if (weights[i][tap] != 0) {
          action.accept(starts[i] + tap, i, weights[i][tap]);
        }
      }
    }
  }

  /** The first pixel that pixel {@code i} of the result is made of, if it is made of any. */
  int start(int i) {
    return starts[i];
  }

  /** The weights of that pixel and those behind it; not to be changed. */
  float[] weights(int i) {
    return weights[i];
  }
}
