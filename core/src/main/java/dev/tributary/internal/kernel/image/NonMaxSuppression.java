package dev.tributary.internal.kernel.image;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The kernels of NonMaxSuppression: picks boxes in the order of their scores, and leaves out those
 * that overlap with a picked one. With a sigma, overlapping boxes lose a part of their score
 * instead, and stay in the race while it is above the threshold.
 */
public final class NonMaxSuppression {
  private final RealElements elements;
  private final float[] boxes;
  private final float[] scores;
  private final double overlapThreshold;
  private final double scoreThreshold;
  private final double scale;
  private final boolean soft;

  /** The boxes still in the race, as a heap with the best one first. */
  private final int[] heap;

  /** How many of the picked boxes have had their say about a box. */
  private final int[] judged;

  private int waiting;

  private NonMaxSuppression(
      KernelContext context, double overlapThreshold, double scoreThreshold, double sigma) {
    Tensor boxes = context.input(0);
    this.elements = RealElements.of(boxes.type());
    this.boxes = floats(boxes);
    this.scores = floats(context.input(1));
    this.overlapThreshold = overlapThreshold;
    this.scoreThreshold = scoreThreshold;
    this.soft = sigma > 0;
    this.scale = soft ? elements.round(-0.5 / sigma) : 0;
    this.heap = new int[scores.length];
    this.judged = new int[scores.length];
  }

  /** NonMaxSuppression, whose threshold is an attribute. */
  public static Kernel withAttribute(KernelNode node) {
    double threshold = node.attributes().real("iou_threshold");
    return context -> select(context, threshold, -Float.MAX_VALUE, 0, false);
  }

  /** NonMaxSuppressionV2: input 3 is the threshold of overlaps. */
  public static Kernel ofOverlaps(KernelNode node) {
    double lowest = RealElements.of(node.type()) == RealElements.HALF ? -65504 : -Float.MAX_VALUE;
    return context -> select(context, threshold(context, 3), lowest, 0, false);
  }

  /** NonMaxSuppressionV3 and V4: input 4 is the threshold of scores. */
  public static Kernel ofScores(KernelNode node) {
    boolean padded = isPadded(node);
    return context -> {
      int count =
          select(context, threshold(context, 3), scalar(context, 4, "score_threshold"), 0, padded);
      if (node.outputTypes().size() > 1) {
        IndexTensors.setScalar(context, 1, count);
      }
    };
  }

  /** NonMaxSuppressionV5: input 5 is the sigma with which scores decay. */
  public static Kernel soft(KernelNode node) {
    boolean padded = isPadded(node);
    return context -> {
      double overlap = threshold(context, 3);
      double score = scalar(context, 4, "score_threshold");
      double sigma = scalar(context, 5, "soft_nms_sigma");
      if (!(sigma >= 0)) {
        throw TributaryException.invalidArgument("soft_nms_sigma_val must be >= 0, got %s", sigma);
      }
      IndexTensors.setScalar(context, 2, select(context, overlap, score, sigma, padded));
    };
  }

  private static boolean isPadded(KernelNode node) {
    return node.attributes().has("pad_to_max_output_size")
        && node.attributes().bool("pad_to_max_output_size");
  }

  private static double threshold(KernelContext context, int input) {
    return scalar(context, input, "iou_threshold");
  }

  /** A scalar input in the precision of the boxes. */
  private static double scalar(KernelContext context, int input, String what) {
    Tensor tensor = context.input(input);
    IndexTensors.requireScalar(tensor, what);
    double value = RealElements.of(tensor.type()).get(tensor.storage().address());
    return RealElements.of(context.input(0).type()).round(value);
  }

  /** Sets the outputs with boxes and scores, and returns how many boxes were picked. */
  private static int select(
      KernelContext context, double overlap, double score, double sigma, boolean padded) {
    if (!(overlap >= 0 && overlap <= 1)) {
      throw TributaryException.invalidArgument("iou_threshold must be in [0, 1], got %s", overlap);
    }
    Tensor limit = context.input(2);
    IndexTensors.requireScalar(limit, "max_output_size");
    if (limit.getInt(0) < 0) {
      throw TributaryException.invalidArgument(
          "output size must be non-negative, got max_output_size %d", limit.getInt(0));
    }
    requireShapes(context.input(0).shape(), context.input(1).shape());
    NonMaxSuppression race = new NonMaxSuppression(context, overlap, score, sigma);
    int[] picked = new int[Math.min(limit.getInt(0), race.scores.length)];
    int count = race.run(picked);
    Shape shape = Shape.of(padded ? limit.getInt(0) : count);
    Tensor indices = context.allocateOutput(0, shape);
    Fill.zeros(indices);
    Memory.copy(picked, 0, indices.storage().address(), count);
    if (sigmaIsInput(context)) {
      Tensor kept = context.allocateOutput(1, shape);
      Fill.zeros(kept);
      for (int i = 0; i < count; i++) {
        race.elements.put(
            kept.storage().address() + (long) i * race.elements.size(), race.scores[picked[i]]);
      }
    }
    return count;
  }

  private static boolean sigmaIsInput(KernelContext context) {
    return context.inputCount() == 6;
  }

  private int run(int[] picked) {
    for (int i = 0; i < scores.length; i++) {
      if (scores[i] > scoreThreshold) {
        push(i);
      }
    }
    int count = 0;
    while (count < picked.length && waiting > 0) {
      int box = pop();
      float before = scores[box];
      boolean suppressed = suppress(box, picked, count);
      judged[box] = count;
      if (suppressed) {
        continue;
      }
      if (scores[box] == before) {
        picked[count++] = box;
      } else if (scores[box] > scoreThreshold) {
        push(box);
      }
    }
    return count;
  }

  /** Takes from a box's score for its overlaps; true if one of them rules the box out. */
  private boolean suppress(int box, int[] picked, int count) {
    for (int j = count - 1; j >= judged[box]; j--) {
      double overlap = elements.round(overlap(box, picked[j]));
      if (!soft && overlap > overlapThreshold) {
        return true;
      }
      if (soft) {
        double exponent = elements.round(elements.round(scale * overlap) * overlap);
        scores[box] = (float) elements.round(scores[box] * elements.round(Math.exp(exponent)));
        if (scores[box] <= scoreThreshold) {
          break;
        }
      }
    }
    return false;
  }

  /** The area that two boxes share, of the area that they cover. */
  private float overlap(int i, int j) {
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
    return Math.min(boxes[4 * box + axis], boxes[4 * box + axis + 2]);
  }

  private float high(int box, int axis) {
    return Math.max(boxes[4 * box + axis], boxes[4 * box + axis + 2]);
  }

  private boolean isBefore(int box, int other) {
    return scores[box] > scores[other] || scores[box] == scores[other] && box < other;
  }

  private void push(int box) {
    int at = waiting++;
    while (at > 0 && isBefore(box, heap[(at - 1) / 2])) {
      heap[at] = heap[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    heap[at] = box;
  }

  private int pop() {
    int best = heap[0];
    int moved = heap[--waiting];
    int at = 0;
    while (2 * at + 1 < waiting) {
      int child = 2 * at + 1;
      if (child + 1 < waiting && isBefore(heap[child + 1], heap[child])) {
        child++;
      }
      if (!isBefore(heap[child], moved)) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = moved;
    return best;
  }

  private static void requireShapes(Shape boxes, Shape scores) {
    if (boxes.rank() != 2 || boxes.size(1) != 4) {
      throw TributaryException.invalidArgument(
          "boxes must be 2-D with 4 columns, got shape %s", boxes);
    }
    if (scores.rank() != 1 || scores.size(0) != boxes.size(0)) {
      throw TributaryException.invalidArgument(
          "scores must be 1-D with one score a box, got shape %s for boxes of shape %s",
          scores, boxes);
    }
  }

  private static float[] floats(Tensor tensor) {
    float[] values = new float[ArrayLength.of(tensor.elementCount())];
    RealElements elements = RealElements.of(tensor.type());
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) elements.get(tensor.storage().address() + (long) i * elements.size());
    }
    return values;
  }
}
