package dev.tributary.internal.kernel.image;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.op.Attributes;

/**
 * The pixels of one dimension of an image that those of the resized image are made of. Places are
 * computed in float, as TensorFlow does.
 */
final class Sampling {
  /**
   * The alignment of the pixels of both images.
   *
   * @param alignCorners whether the centers of the first and last pixels meet
   * @param halfPixelCenters whether pixel i covers i to i + 1 and has its center in between
   */
  record Alignment(boolean alignCorners, boolean halfPixelCenters) {
    static Alignment of(Attributes attributes) {
      Alignment alignment =
          new Alignment(attributes.bool("align_corners"), attributes.bool("half_pixel_centers"));
      if (alignment.alignCorners && alignment.halfPixelCenters) {
        throw TributaryException.invalidArgument(
            "If half_pixel_centers is True, align_corners must be False.");
      }
      return alignment;
    }

    /** The distance between the places of two neighbours of the resized image. */
    float scale(long original, long resized) {
      return alignCorners && resized > 1
          ? (original - 1) / (float) (resized - 1)
          : original / (float) resized;
    }

    /** The place of pixel {@code i} of the resized image among the pixels of the original. */
    float place(long i, float scale) {
      return halfPixelCenters ? (i + 0.5f) * scale - 0.5f : i * scale;
    }
  }

  private final int[] lower;
  private final int[] upper;
  private final float[] fraction;

  private Sampling(int[] lower, int[] upper, float[] fraction) {
    this.lower = lower;
    this.upper = upper;
    this.fraction = fraction;
  }

  /** Between two neighbours. */
  static Sampling bilinear(Alignment alignment, long original, long resized) {
    float scale = alignment.scale(original, resized);
    int[] lower = new int[ArrayLength.of(resized)];
    int[] upper = new int[lower.length];
    float[] fraction = new float[lower.length];
    for (int i = 0; i < lower.length; i++) {
      float place = alignment.place(i, scale);
      float floor = (float) Math.floor(place);
      lower[i] = Math.max((int) floor, 0);
      upper[i] = (int) Math.min((long) Math.ceil(place), original - 1);
      lower[i] = Math.min(lower[i], upper[i]);
      fraction[i] = place - floor;
    }
    return new Sampling(lower, upper, fraction);
  }

  /** The nearest pixel only. */
  static Sampling nearest(Alignment alignment, long original, long resized) {
    float scale = alignment.scale(original, resized);
    int[] nearest = new int[ArrayLength.of(resized)];
    for (int i = 0; i < nearest.length; i++) {
      float place = (alignment.halfPixelCenters ? i + 0.5f : i) * scale;
      long pixel = (long) Math.floor(alignment.alignCorners ? place + 0.5 : place);
      nearest[i] = (int) Math.min(pixel, original - 1);
    }
    return new Sampling(nearest, nearest, new float[0]);
  }

  int length() {
    return lower.length;
  }

  /** The pixel at or before the place of pixel {@code i}, or the nearest one. */
  int lower(int i) {
    return lower[i];
  }

  /** The pixel at or behind that place. */
  int upper(int i) {
    return upper[i];
  }

  /** The way from the lower pixel to that place, of which there is 1 to the upper one. */
  float fraction(int i) {
    return fraction[i];
  }
}
