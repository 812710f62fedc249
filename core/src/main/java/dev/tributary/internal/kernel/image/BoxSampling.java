package dev.tributary.internal.kernel.image;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.random.Philox;
import dev.tributary.internal.kernel.random.WordSource;
import dev.tributary.internal.memory.Memory;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws the part of an image that the SampleDistortedBoundingBox ops cut out: of a random shape and
 * size, at a random place, such that it covers enough of one of the given boxes. The numbers are
 * TensorFlow's for the same stream. Immutable.
 */
public final class BoxSampling {
  /** Keeps a rounded width from exceeding the image. */
  private static final float ROUNDING = 0.0000001f;

  /** Random words that are reserved for each attempt; rejected ones are not counted. */
  private static final long WORDS_PER_ATTEMPT = 4;

  private final float leastAspect;
  private final float mostAspect;
  private final float leastArea;
  private final float mostArea;
  private final int attempts;
  private final boolean mayHaveNoBoxes;

  public BoxSampling(Attributes attributes) {
    float[] aspects = range(attributes, "aspect_ratio_range");
    float[] areas = range(attributes, "area_range");
    if (areas[0] > 1 || areas[1] > 1) {
      throw TributaryException.invalidArgument(
          "area_range must be at most 1, got [%s, %s]", areas[0], areas[1]);
    }
    this.leastAspect = aspects[0];
    this.mostAspect = aspects[1];
    this.leastArea = areas[0];
    this.mostArea = areas[1];
    this.attempts = attributes.int32("max_attempts");
    this.mayHaveNoBoxes = attributes.bool("use_image_if_no_bounding_boxes");
    if (attempts <= 0) {
      throw TributaryException.invalidArgument("max_attempts must be positive, got %d", attempts);
    }
  }

  /** The number of words of its stream that a run may use. */
  public long words() {
    return WORDS_PER_ATTEMPT * attempts;
  }

  /**
   * Sets the outputs: where the part begins, its size, and both as a box. Inputs: the size of the
   * image [height, width, channels], and the boxes.
   *
   * @param covered the share of a box that must be covered
   */
  public void run(KernelContext context, float covered, Philox stream) {
    Tensor imageSize = context.input(0);
    long[] sizes = IndexTensors.vector(imageSize, "image_size", 3);
    for (int i = 0; i < 2; i++) {
      if (sizes[i] < 0 || sizes[i] >= Integer.MAX_VALUE) {
        throw TributaryException.invalidArgument(
            "image_size must be non-negative and below 2^31 - 1, got image_size[%d] = %d",
            i, sizes[i]);
      }
    }
    if (!(covered >= 0)) {
      throw TributaryException.invalidArgument(
          "min_object_covered must be non-negative, got %s", covered);
    }
    int height = (int) sizes[0];
    int width = (int) sizes[1];
    Area image = new Area(0, 0, height, width);
    Area part = sample(image, boxes(context.input(1), image), covered, new WordSource(stream));
    setVector(context, 0, part.top(), part.left(), 0);
    setVector(context, 1, part.bottom() - part.top(), part.right() - part.left(), -1);
    long box = context.allocateOutput(2, Shape.of(1, 1, 4)).storage().address();
    Memory.putFloat(box, (float) part.top() / height);
    Memory.putFloat(box + Float.BYTES, (float) part.left() / width);
    Memory.putFloat(box + 2 * Float.BYTES, (float) part.bottom() / height);
    Memory.putFloat(box + 3 * Float.BYTES, (float) part.right() / width);
  }

  /** The same where input 2 is the share of a box that must be covered. */
  public void run(KernelContext context, Philox stream) {
    run(context, ColorKernels.scalar(context.input(2), "min_object_covered"), stream);
  }

  private static void setVector(KernelContext context, int output, long... values) {
    Tensor vector = context.allocateOutput(output, Shape.of(values.length));
    for (int i = 0; i < values.length; i++) {
      IndexTensors.put(vector, i, values[i]);
    }
  }

  /** The whole image if no attempt succeeds. */
  private Area sample(Area image, List<Area> boxes, float covered, WordSource words) {
    boolean possible =
        leastArea <= mostArea && covered <= 1 && boxes.stream().anyMatch(b -> b.size() >= 1);
    for (int i = 0; i < attempts && possible; i++) {
      float aspect = words.nextFloat() * (mostAspect - leastAspect) + leastAspect;
      Area part = crop(image.right(), image.bottom(), aspect, words);
      if (part.size() >= 1 && boxes.stream().anyMatch(box -> part.covers(box, covered))) {
        return part;
      }
    }
    return image;
  }

  /** A part with this ratio of width to height; an empty one if none fits. */
  private Area crop(int width, int height, float aspect, WordSource words) {
    float least = leastArea * width * height;
    float most = mostArea * width * height;
    int low = rounded((float) Math.sqrt(least / aspect));
    int high = Math.min(highest(most, aspect, width), height);
    int cropHeight = Math.min(low, high);
    if (cropHeight < high) {
      cropHeight += words.nextBelow(high - cropHeight + 1);
    }
    int cropWidth = rounded(cropHeight * aspect);
    float area = cropWidth * cropHeight;
    // Rounding may have left the range; one more or one less row may bring it back.
    if (area < least) {
      cropHeight++;
      cropWidth = rounded(cropHeight * aspect);
      area = cropWidth * cropHeight;
    }
    if (area > most) {
      cropHeight--;
      cropWidth = rounded(cropHeight * aspect);
      area = cropWidth * cropHeight;
    }
    boolean fits = cropWidth > 0 && cropHeight > 0 && cropWidth <= width && cropHeight <= height;
    if (!fits || area < least || area > most) {
      return Area.NONE;
    }
    int top = cropHeight < height ? words.nextBelow(height - cropHeight) : 0;
    int left = cropWidth < width ? words.nextBelow(width - cropWidth) : 0;
    return new Area(top, left, top + cropHeight, left + cropWidth);
  }

  /** The most rows such that the rounded width is not above that of the image. */
  private static int highest(float most, float aspect, int width) {
    int high = rounded((float) Math.sqrt(most / aspect));
    if (rounded(high * aspect) > width) {
      high = (int) ((width + 0.5 - ROUNDING) / aspect);
      if (rounded(high * aspect) > width) {
        high--;
      }
    }
    return high;
  }

  private static int rounded(float value) {
    return (int) (long) Math.rint(value);
  }

  private List<Area> boxes(Tensor boxes, Area image) {
    Shape shape = boxes.shape();
    if (shape.rank() != 3 || shape.size(2) != 4) {
      throw TributaryException.invalidArgument(
          "bounding_boxes must be [batch, boxes, 4], got shape %s", shape);
    }
    List<Area> areas = new ArrayList<>();
    for (long i = 0; i < boxes.elementCount(); i += 4) {
      areas.add(
          new Area(
              (int) (side(boxes, i) * image.bottom()),
              (int) (side(boxes, i + 1) * image.right()),
              (int) (side(boxes, i + 2) * image.bottom()),
              (int) (side(boxes, i + 3) * image.right())));
    }
    if (areas.isEmpty() && !mayHaveNoBoxes) {
      throw TributaryException.invalidArgument(
          "no bounding boxes are given; set use_image_if_no_bounding_boxes to take the whole image"
              + " for one");
    }
    return areas.isEmpty() ? List.of(image) : areas;
  }

  private static float side(Tensor boxes, long i) {
    float side = boxes.getFloat(i);
    if (!(side >= 0 && side <= 1)) {
      throw TributaryException.invalidArgument(
          "bounding box coordinates must be in [0, 1], got %s at %s",
          side, IndexTensors.coordinates(boxes.shape(), i));
    }
    return side;
  }

  private static float[] range(Attributes attributes, String name) {
    List<AttrValue> values = attributes.list(name);
    float[] range = new float[values.size()];
    for (int i = 0; i < range.length; i++) {
      range[i] = ((AttrValue.Real) values.get(i)).value();
    }
    if (range.length != 2 || !(range[0] > 0 && range[1] > 0)) {
      throw TributaryException.invalidArgument(
          "%s must be two positive numbers, got %s", name, values);
    }
    return range;
  }

  /** A rectangle of whole pixels; {@code bottom} and {@code right} are behind the last ones. */
  private record Area(int top, int left, int bottom, int right) {
    static final Area NONE = new Area(0, 0, 0, 0);

    float size() {
      return (right - left) * (bottom - top);
    }

    boolean covers(Area box, float share) {
      if (box.size() < 1) {
        return false;
      }
      Area common =
          new Area(
              Math.max(top, box.top),
              Math.max(left, box.left),
              Math.min(bottom, box.bottom),
              Math.min(right, box.right));
      boolean apart = common.top > common.bottom || common.left > common.right;
      return (apart ? 0 : common.size()) / box.size() >= share;
    }
  }
}
