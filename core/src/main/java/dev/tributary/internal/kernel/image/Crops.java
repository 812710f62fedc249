package dev.tributary.internal.kernel.image;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The boxes of a CropAndResize: where each pixel of a crop lies in its image. A box is [y1, x1, y2,
 * x2] in units of the image's height and width less one pixel.
 */
final class Crops {
  /** The work on one pixel of a crop that lies inside its image. */
  @FunctionalInterface
  interface Action {
    /**
     * @param pixel the number of the pixel among those of all crops
     * @param image the number of the image
     */
    void accept(long pixel, long image, float y, float x);
  }

  private final Tensor boxes;
  private final Tensor images;
  private final Shape image;
  private final int height;
  private final int width;

  /**
   * @param image the shape of all images
   */
  Crops(Tensor boxes, Tensor images, Shape image, Shape crops) {
    this.boxes = boxes;
    this.images = images;
    this.image = image;
    this.height = (int) crops.size(1);
    this.width = (int) crops.size(2);
  }

  /** Fails unless there is a box in a row and the number of its image for each crop. */
  static long count(Tensor boxes, Tensor images) {
    if (boxes.rank() != 2) {
      throw TributaryException.invalidArgument("boxes must be 2-D, got: %s", boxes.shape());
    }
    if (images.rank() != 1) {
      throw TributaryException.invalidArgument(
          "box_indices must be rank 1 but is shape %s", images.shape());
    }
    if (boxes.shape().size(0) != images.shape().size(0)) {
      throw TributaryException.invalidArgument(
          "box_index has incompatible shape %s for boxes of shape %s",
          images.shape(), boxes.shape());
    }
    if (boxes.shape().size(0) > 0 && boxes.shape().size(1) != 4) {
      throw TributaryException.invalidArgument("boxes must have 4 columns, got %s", boxes.shape());
    }
    return boxes.shape().size(0);
  }

  static void requireImages(Tensor images, long count) {
    for (long i = 0; i < images.elementCount(); i++) {
      long image = IndexTensors.at(images, i);
      if (image < 0 || image >= count) {
        throw TributaryException.outOfRange(
            "box_index has values outside [0, batch_size): box_index[%d] = %d of %d images",
            i, image, count);
      }
    }
  }

  /** Goes over the pixels of crops {@code first} to {@code end - 1} that lie in their image. */
  void forEach(long first, long end, Action action) {
    for (long box = first; box < end; box++) {
      long number = IndexTensors.at(images, box);
      for (int y = 0; y < height; y++) {
        float down = place(box, 0, y, height, image.size(1));
        if (isOutside(down, image.size(1))) {
          continue;
        }
        for (int x = 0; x < width; x++) {
          float across = place(box, 1, x, width, image.size(2));
          if (!isOutside(across, image.size(2))) {
            action.accept((box * height + y) * width + x, number, down, across);
          }
        }
      }
    }
  }

  /** Side {@code i} of a box: y1, x1, y2, x2. */
  private float side(long box, int i) {
    return Memory.getFloat(boxes.storage().address() + (4 * box + i) * Float.BYTES);
  }

  private float place(long box, int axis, int pixel, int pixels, long size) {
    float begin = side(box, axis);
    float end = side(box, axis + 2);
    if (pixels == 1) {
      return (float) (0.5 * (begin + end) * (size - 1));
    }
    float step = (end - begin) * (size - 1) / (pixels - 1);
    return begin * (size - 1) + pixel * step;
  }

  /** A place that is not a number is outside as well. */
  private static boolean isOutside(float place, long size) {
    return !(place >= 0 && place <= size - 1);
  }
}
