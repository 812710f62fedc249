package dev.tributary.internal.kernel.image;

import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.tensor.Tensor;

/**
 * Boxes by their number.
 *
 * @param sides two opposite corners of each box, [y1, x1, y2, x2]; which ones does not matter
 */
record Boxes(float[] sides) {
  static Boxes of(Tensor boxes) {
    return new Boxes(floats(boxes));
  }

  /** The area that two boxes share, of the area that they cover. */
  float overlap(int i, int j) {
    float top = Math.max(low(i, 0), low(j, 0));
    float left = Math.max(low(i, 1), low(j, 1));
    float bottom = Math.min(high(i, 0), high(j, 0));
    float right = Math.min(high(i, 1), high(j, 1));
    float areaI = (high(i, 0) - low(i, 0)) * (high(i, 1) - low(i, 1));
    float areaJ = (high(j, 0) - low(j, 0)) * (high(j, 1) - low(j, 1));
    if (areaI <= 0 || areaJ <= 0) {
      return 0;
    }
    float shared = Math.max(bottom - top, 0) * Math.max(right - left, 0);
    return shared / (areaI + areaJ - shared);
  }

  private float low(int box, int axis) {
    return Math.min(sides[4 * box + axis], sides[4 * box + axis + 2]);
  }

  private float high(int box, int axis) {
    return Math.max(sides[4 * box + axis], sides[4 * box + axis + 2]);
  }

  /** The elements of a tensor of a floating type. */
  static float[] floats(Tensor tensor) {
    float[] values = new float[ArrayLength.of(tensor.elementCount())];
    RealElements elements = RealElements.of(tensor.type());
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) elements.get(tensor.storage().address() + (long) i * elements.size());
    }
    return values;
  }
}
