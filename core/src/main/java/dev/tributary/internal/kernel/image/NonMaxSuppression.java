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

/**
 * The kernels of NonMaxSuppression: picks boxes in the order of their scores, and leaves out those
 * that overlap with a picked one. With a sigma, overlapping boxes lose a part of their score
 * instead, and stay in the race while it is above the threshold.
 */
public final class NonMaxSuppression {
  /** The likeness of two boxes, by their numbers. */
  @FunctionalInterface
  interface Similarity {
    float of(int box, int other);
  }

  /**
   * The thresholds that decide about boxes.
   *
   * @param overlap the similarity above which the worse of two boxes is left out
   * @param score the score that boxes must be above
   * @param sigma how fast scores decay, or 0 for a hard choice
   */
  record Limits(double overlap, double score, double sigma) {}

  private final RealElements elements;
  private final Similarity similarity;
  private final float[] scores;
  private final Limits limits;
  private final double scale;
  private final boolean soft;

  /** The boxes still in the race, as a heap with the best one first. */
  private final int[] heap;

  /** The number of picked boxes that a box has been compared with. */
  private final int[] judged;

  private int waiting;

  /**
   * @param scores the score of each box; soft choices change them
   */
  NonMaxSuppression(RealElements elements, Similarity similarity, float[] scores, Limits limits) {
    this.elements = elements;
    this.similarity = similarity;
    this.scores = scores;
    this.limits = limits;
    this.soft = limits.sigma() > 0;
    this.scale = soft ? elements.round(-0.5 / limits.sigma()) : 0;
    this.heap = new int[scores.length];
    this.judged = new int[scores.length];
  }

  /** NonMaxSuppression, whose threshold is an attribute. */
  public static Kernel withAttribute(KernelNode node) {
    double threshold = node.attributes().real("iou_threshold");
    return context -> select(context, new Limits(threshold, -Float.MAX_VALUE, 0), false);
  }

  /** NonMaxSuppressionV2: input 3 is the threshold of overlaps. */
  public static Kernel ofOverlaps(KernelNode node) {
    double lowest = RealElements.of(node.type()) == RealElements.HALF ? -65504 : -Float.MAX_VALUE;
    return context -> select(context, new Limits(threshold(context, 3), lowest, 0), false);
  }

  /** NonMaxSuppressionV3 and V4: input 4 is the threshold of scores. */
  public static Kernel ofScores(KernelNode node) {
    boolean padded = isPadded(node);
    return context -> {
      Limits limits = new Limits(threshold(context, 3), scalar(context, 4, "score_threshold"), 0);
      int count = select(context, limits, padded);
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
      IndexTensors.setScalar(
          context, 2, select(context, new Limits(overlap, score, sigma), padded));
    };
  }

  /** NonMaxSuppressionWithOverlaps: input 0 has the similarity of each box with each. */
  public static Kernel givenOverlaps(KernelNode node) {
    return context -> {
      Tensor overlaps = context.input(0);
      Shape shape = overlaps.shape();
      if (shape.rank() != 2 || shape.size(0) != shape.size(1)) {
        throw TributaryException.invalidArgument(
            "overlaps must be a square matrix, got shape %s", shape);
      }
      requireScores(context.input(1).shape(), shape);
      double overlap = scalar(context, 3, "overlap_threshold");
      double score = scalar(context, 4, "score_threshold");
      long address = overlaps.storage().address();
      long count = shape.size(0);
      run(
          context,
          (i, j) -> Memory.getFloat(address + (i * count + j) * Float.BYTES),
          new Limits(overlap, score, 0),
          false);
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
  private static int select(KernelContext context, Limits limits, boolean padded) {
    requireOverlap(limits.overlap());
    Shape shape = context.input(0).shape();
    if (shape.rank() != 2 || shape.size(1) != 4) {
      throw TributaryException.invalidArgument(
          "boxes must be 2-D with 4 columns, got shape %s", shape);
    }
    requireScores(context.input(1).shape(), shape);
    Boxes boxes = Boxes.of(context.input(0));
    return run(context, boxes::overlap, limits, padded);
  }

  private static int run(
      KernelContext context, Similarity similarity, Limits limits, boolean padded) {
    Tensor limit = context.input(2);
    IndexTensors.requireScalar(limit, "max_output_size");
    if (limit.getInt(0) < 0) {
      throw TributaryException.invalidArgument(
          "output size must be non-negative, got max_output_size %d", limit.getInt(0));
    }
    Tensor given = context.input(1);
    NonMaxSuppression race =
        new NonMaxSuppression(
            RealElements.of(given.type()), similarity, Boxes.floats(given), limits);
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

  /** Puts the numbers of the best boxes into {@code picked}, and returns how many they are. */
  int run(int[] picked) {
    for (int i = 0; i < scores.length; i++) {
      if (scores[i] > limits.score()) {
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
      } else if (scores[box] > limits.score()) {
        push(box);
      }
    }
    return count;
  }

  /** Takes from a box's score for its overlaps; true if one of them rules the box out. */
  private boolean suppress(int box, int[] picked, int count) {
    for (int j = count - 1; j >= judged[box]; j--) {
      double overlap = elements.round(similarity.of(box, picked[j]));
      if (!soft && overlap > limits.overlap()) {
        return true;
      }
      if (soft) {
        double exponent = elements.round(elements.round(scale * overlap) * overlap);
        scores[box] = (float) elements.round(scores[box] * elements.round(Math.exp(exponent)));
        if (scores[box] <= limits.score()) {
          break;
        }
      }
    }
    return false;
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

  static void requireOverlap(double threshold) {
    if (!(threshold >= 0 && threshold <= 1)) {
      throw TributaryException.invalidArgument(
          "iou_threshold must be in [0, 1], got %s", threshold);
    }
  }

  private static void requireScores(Shape scores, Shape boxes) {
    if (scores.rank() != 1 || scores.size(0) != boxes.size(0)) {
      throw TributaryException.invalidArgument(
          "scores must be 1-D with one score a box, got shape %s for boxes of shape %s",
          scores, boxes);
    }
  }
}
