package dev.tributary.internal.kernel.image;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The kernel of CombinedNonMaxSuppression: a choice for each class of each image, of which the best
 * of all classes remain. Inputs: boxes [batch, boxes, 1 or classes, 4], scores [batch, boxes,
 * classes], the most boxes of a class, the most of an image, and the thresholds of overlaps and of
 * scores.
 */
public final class CombinedSuppression implements Kernel {
  /** A box that was picked, by its number among all boxes. */
  private record Detection(int box, int label, float score) {}

  /** The highest score first; of equal ones the lower class, then the lower number. */
  private static final Comparator<Detection> BEST_FIRST =
      Comparator.comparingDouble((Detection d) -> -d.score())
          .thenComparingInt(Detection::label)
          .thenComparingInt(Detection::box);

  private final boolean padPerClass;
  private final boolean clipBoxes;

  public CombinedSuppression(KernelNode node) {
    this.padPerClass = node.attributes().bool("pad_per_class");
    this.clipBoxes = node.attributes().bool("clip_boxes");
  }

  @Override
  public void compute(KernelContext context) {
    Shape boxes = context.input(0).shape();
    Shape scores = context.input(1).shape();
    requireShapes(boxes, scores);
    int perClass = positive(context.input(2), "max_output_size_per_class");
    long perImage = positive(context.input(3), "max_total_size");
    double overlap = ColorKernels.scalar(context.input(4), "iou_threshold");
    NonMaxSuppression.requireOverlap(overlap);
    NonMaxSuppression.Limits limits =
        new NonMaxSuppression.Limits(
            overlap, ColorKernels.scalar(context.input(5), "score_threshold"), 0);
    if (padPerClass) {
      perImage = Math.min(perImage, perClass * scores.size(2));
    }
    long batch = boxes.size(0);
    Tensor sides = context.allocateOutput(0, Shape.of(batch, perImage, 4));
    Tensor kept = context.allocateOutput(1, Shape.of(batch, perImage));
    Tensor labels = context.allocateOutput(2, Shape.of(batch, perImage));
    Tensor counts = context.allocateOutput(3, Shape.of(batch));
    Fill.zeros(sides);
    Fill.zeros(kept);
    Fill.zeros(labels);
    Boxes all = Boxes.of(context.input(0));
    float[] allScores = Boxes.floats(context.input(1));
    for (int b = 0; b < batch; b++) {
      List<Detection> found = new ArrayList<>();
      for (int label = 0; label < scores.size(2); label++) {
        find(all, boxes, allScores, scores, b, label, perClass, limits, found);
      }
      found.sort(BEST_FIRST);
      int count = (int) Math.min(found.size(), perImage);
      for (int i = 0; i < count; i++) {
        set(found.get(i), all, b * perImage + i, sides, kept, labels);
      }
      Memory.putInt(counts.storage().address() + (long) b * Integer.BYTES, count);
    }
  }

  /** Adds the boxes that are picked of one class. */
  private static void find(
      Boxes all,
      Shape boxes,
      float[] allScores,
      Shape scores,
      int image,
      int label,
      int most,
      NonMaxSuppression.Limits limits,
      List<Detection> found) {
    int count = (int) boxes.size(1);
    int kinds = (int) boxes.size(2);
    int classes = (int) scores.size(2);
    int first = image * count * kinds + (kinds > 1 ? label : 0);
    float[] ofClass = new float[count];
    for (int i = 0; i < count; i++) {
      ofClass[i] = allScores[(image * count + i) * classes + label];
    }
    int[] picked = new int[Math.min(most, count)];
    int length =
        new NonMaxSuppression(
                RealElements.FLOAT,
                (i, j) -> all.overlap(first + i * kinds, first + j * kinds),
                ofClass,
                limits)
            .run(picked);
    for (int i = 0; i < length; i++) {
      found.add(new Detection(first + picked[i] * kinds, label, ofClass[picked[i]]));
    }
  }

  private void set(
      Detection detection, Boxes all, long row, Tensor sides, Tensor kept, Tensor labels) {
    for (int i = 0; i < 4; i++) {
      float side = all.sides()[4 * detection.box() + i];
      float clipped = clipBoxes ? Math.max(Math.min(side, 1), 0) : side;
      Memory.putFloat(sides.storage().address() + (4 * row + i) * Float.BYTES, clipped);
    }
    Memory.putFloat(kept.storage().address() + row * Float.BYTES, detection.score());
    Memory.putFloat(labels.storage().address() + row * Float.BYTES, detection.label());
  }

  private static void requireShapes(Shape boxes, Shape scores) {
    if (boxes.rank() != 4 || boxes.size(3) != 4) {
      throw TributaryException.invalidArgument(
          "boxes must be [batch, boxes, 1 or classes, 4], got shape %s", boxes);
    }
    if (scores.rank() != 3) {
      throw TributaryException.invalidArgument(
          "scores must be [batch, boxes, classes], got shape %s", scores);
    }
    boolean fits = boxes.size(2) == 1 || boxes.size(2) == scores.size(2);
    if (!fits || boxes.size(0) != scores.size(0) || boxes.size(1) != scores.size(1)) {
      throw TributaryException.invalidArgument(
          "boxes of shape %s and scores of shape %s do not belong together", boxes, scores);
    }
  }

  private static int positive(Tensor tensor, String what) {
    IndexTensors.requireScalar(tensor, what);
    if (tensor.getInt(0) <= 0) {
      throw TributaryException.invalidArgument(
          "%s must be positive, got %d", what, tensor.getInt(0));
    }
    return tensor.getInt(0);
  }
}
