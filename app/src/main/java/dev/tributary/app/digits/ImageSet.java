package dev.tributary.app.digits;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Grey images with a class each.
 *
 * @param height pixels of an image from top to bottom
 * @param width pixels of an image from left to right
 * @param pixels all images, row by row, from 0 to 1
 * @param labels the digit in each image
 */
record ImageSet(int height, int width, float[] pixels, int[] labels) {
  ImageSet {
    if (pixels.length != (long) labels.length * height * width) {
      throw TributaryException.invalidArgument(
          "%d labels and %d pixels do not make images of %d x %d",
          labels.length, pixels.length, height, width);
    }
  }

  int size() {
    return labels.length;
  }

  /** That of a tensor of all images: [n, height, width, 1]. */
  Shape shape() {
    return Shape.of(size(), height, width, 1);
  }

  /** All images, for the caller to close. */
  Tensor toTensor() {
    return Tensor.of(shape(), pixels);
  }

  /** The class of each image, for the caller to close. */
  Tensor toLabels() {
    return Tensor.of(labels);
  }

  /** The images from {@code from} to {@code to}, as a set of their own. */
  ImageSet slice(int from, int to) {
    int area = height * width;
    return new ImageSet(
        height,
        width,
        java.util.Arrays.copyOfRange(pixels, from * area, to * area),
        java.util.Arrays.copyOfRange(labels, from, to));
  }
}
