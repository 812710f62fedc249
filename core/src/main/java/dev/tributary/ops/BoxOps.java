package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.image.BoxDrawing;
import dev.tributary.internal.kernel.image.BoxSampling;
import dev.tributary.internal.kernel.image.CombinedSuppression;
import dev.tributary.internal.kernel.image.NonMaxSuppression;
import dev.tributary.internal.kernel.random.GuardedPhilox;
import dev.tributary.internal.kernel.random.OpSeeds;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Ops on boxes in images. A box is [y1, x1, y2, x2]. */
abstract sealed class BoxOps extends ResizeOps permits ColorOps {
  private static final String SAMPLED_TYPES = "{uint8, int8, int16, int32, int64}";

  BoxOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>(suppressions());
    all.addAll(drawings());
    all.addAll(samplers());
    return all;
  }

  private static List<OpDeclaration> suppressions() {
    return List.of(
        op("NonMaxSuppression")
            .input("boxes: float")
            .input("scores: float")
            .input("max_output_size: int32")
            .output("selected_indices: int32")
            .attr("iou_threshold: float = 0.5")
            .shape(c -> selectedShape(c, 3))
            .kernel(NonMaxSuppression::withAttribute)
            .notDifferentiable(),
        suppression("NonMaxSuppressionV2")
            .output("selected_indices: int32")
            .attr("T: {half, float} = float")
            .attr("T_threshold: {half, float} = float")
            .shape(c -> selectedShape(c, 4))
            .kernel(NonMaxSuppression::ofOverlaps)
            .notDifferentiable(),
        suppression("NonMaxSuppressionV3")
            .input("score_threshold: T_threshold")
            .output("selected_indices: int32")
            .attr("T: {half, float} = float")
            .attr("T_threshold: {half, float} = float")
            .shape(c -> selectedShape(c, 5))
            .kernel(NonMaxSuppression::ofScores)
            .notDifferentiable(),
        suppression("NonMaxSuppressionV4")
            .input("score_threshold: T_threshold")
            .output("selected_indices: int32")
            .output("valid_outputs: int32")
            .attr("T: {half, float} = float")
            .attr("T_threshold: {half, float} = float")
            .attr("pad_to_max_output_size: bool = false")
            .shape(
                c -> {
                  selectedShape(c, 5);
                  c.output(1, Shape.scalar());
                })
            .kernel(NonMaxSuppression::ofScores)
            .notDifferentiable(),
        op("NonMaxSuppressionV5")
            .input("boxes: T")
            .input("scores: T")
            .input("max_output_size: int32")
            .input("iou_threshold: T")
            .input("score_threshold: T")
            .input("soft_nms_sigma: T")
            .output("selected_indices: int32")
            .output("selected_scores: T")
            .output("valid_outputs: int32")
            .attr("T: {half, float} = float")
            .attr("pad_to_max_output_size: bool = false")
            .shape(
                c -> {
                  c.output(1, selectedShape(c, 6));
                  c.output(2, Shape.scalar());
                })
            .kernel(NonMaxSuppression::soft)
            .notDifferentiable(),
        op("NonMaxSuppressionWithOverlaps")
            .input("overlaps: float")
            .input("scores: float")
            .input("max_output_size: int32")
            .input("overlap_threshold: float")
            .input("score_threshold: float")
            .output("selected_indices: int32")
            .shape(c -> selectedShape(c, 5))
            .kernel(NonMaxSuppression::givenOverlaps)
            .notDifferentiable(),
        op("CombinedNonMaxSuppression")
            .input("boxes: float")
            .input("scores: float")
            .input("max_output_size_per_class: int32")
            .input("max_total_size: int32")
            .input("iou_threshold: float")
            .input("score_threshold: float")
            .output("nmsed_boxes: float")
            .output("nmsed_scores: float")
            .output("nmsed_classes: float")
            .output("valid_detections: int32")
            .attr("pad_per_class: bool = false")
            .attr("clip_boxes: bool = true")
            .shape(BoxOps::combinedShape)
            .kernel(CombinedSuppression::new)
            .notDifferentiable());
  }

  private static List<OpDeclaration> drawings() {
    return List.of(
        op("DrawBoundingBoxes")
            .input("images: T")
            .input("boxes: float")
            .output("output: T")
            .attr("T: {float, half} = float")
            .shape(BoxOps::drawnShape)
            .kernel(BoxDrawing::of)
            .notDifferentiable(),
        op("DrawBoundingBoxesV2")
            .input("images: T")
            .input("boxes: float")
            .input("colors: float")
            .output("output: T")
            .attr("T: {float, half} = float")
            .shape(BoxOps::drawnShape)
            .kernel(BoxDrawing::of)
            .notDifferentiable());
  }

  private static List<OpDeclaration> samplers() {
    return List.of(
        sampled(
                RandomOps.seeded(sampler("SampleDistortedBoundingBox").attr("T: " + SAMPLED_TYPES))
                    .attr("min_object_covered: float = 0.1"))
            .kernel(
                node -> {
                  BoxSampling sampling = new BoxSampling(node.attributes());
                  GuardedPhilox state = RandomOps.state(node);
                  float covered = node.attributes().real("min_object_covered");
                  return c -> sampling.run(c, covered, state.reserveWords(sampling.words()));
                })
            .notDifferentiable(),
        sampled(
                RandomOps.seeded(
                    sampler("SampleDistortedBoundingBoxV2")
                        .input("min_object_covered: float")
                        .attr("T: " + SAMPLED_TYPES)))
            .kernel(
                node -> {
                  BoxSampling sampling = new BoxSampling(node.attributes());
                  GuardedPhilox state = RandomOps.state(node);
                  return c -> sampling.run(c, state.reserveWords(sampling.words()));
                })
            .notDifferentiable(),
        sampled(
                sampler("StatelessSampleDistortedBoundingBox")
                    .input("min_object_covered: float")
                    .input("seed: Tseed")
                    .attr("T: " + SAMPLED_TYPES)
                    .attr("Tseed: {int32, int64}"))
            .kernel(
                node -> {
                  BoxSampling sampling = new BoxSampling(node.attributes());
                  return c -> sampling.run(c, RandomOps.statelessSource(c.input(3)));
                })
            .notDifferentiable());
  }

  /**
   * The numbers of at most {@code limit} boxes with the best scores, of which none overlaps with a
   * better one by more than {@code overlap} (0 to 1) of their common area.
   */
  public Output nonMaxSuppression(
      Operand boxes, Operand scores, Operand limit, Operand overlap, Operand scoreThreshold) {
    return scope
        .operation("NonMaxSuppressionV3")
        .input(boxes)
        .input(scores)
        .input(limit)
        .input(overlap)
        .input(scoreThreshold)
        .buildOutput();
  }

  /**
   * The boxes of several classes that remain after {@link #nonMaxSuppression} of each class, with
   * the best scores of each image. Images with fewer boxes are padded with zeros.
   *
   * @param boxes [batch, boxes, 1 or classes, 4]
   * @param scores [batch, boxes, classes]
   * @return the boxes, their scores, their classes, and how many boxes each image has
   */
  public List<Output> combinedNonMaxSuppression(
      Operand boxes,
      Operand scores,
      Operand limitPerClass,
      Operand limit,
      Operand overlap,
      Operand scoreThreshold) {
    return scope
        .operation("CombinedNonMaxSuppression")
        .input(boxes)
        .input(scores)
        .input(limitPerClass)
        .input(limit)
        .input(overlap)
        .input(scoreThreshold)
        .build()
        .outputs();
  }

  /**
   * Images with boxes drawn into them.
   *
   * @param boxes [batch, boxes, 4], where 1 is the last pixel of the image
   * @param colors the colours that boxes have in turn, a row each
   */
  public Output drawBoundingBoxes(Operand images, Operand boxes, Operand colors) {
    return scope
        .operation("DrawBoundingBoxesV2")
        .input(images)
        .input(boxes)
        .input(colors)
        .buildOutput();
  }

  /**
   * A random part of an image that covers at least a share of one of the boxes.
   *
   * @param imageSize [height, width, channels]
   * @param boxes [batch, boxes, 4], from 0 to 1
   * @return where the part begins and its size, for a slice of the image, and the part as a box
   */
  public List<Output> sampleDistortedBoundingBox(
      Operand imageSize, Operand boxes, Operand minObjectCovered) {
    OpSeeds seeds = RandomOps.seeds(scope.graph(), OptionalLong.empty());
    return scope
        .operation("SampleDistortedBoundingBoxV2")
        .input(imageSize)
        .input(boxes)
        .input(minObjectCovered)
        .attr("seed", seeds.seed())
        .attr("seed2", seeds.seed2())
        .build()
        .outputs();
  }

  /** The same with a place that follows from the two-element seed alone. */
  public List<Output> sampleDistortedBoundingBox(
      Operand imageSize, Operand boxes, Operand minObjectCovered, Operand seed) {
    return scope
        .operation("StatelessSampleDistortedBoundingBox")
        .input(imageSize)
        .input(boxes)
        .input(minObjectCovered)
        .input(seed)
        .build()
        .outputs();
  }

  private static Declaration suppression(String name) {
    return op(name)
        .input("boxes: T")
        .input("scores: T")
        .input("max_output_size: int32")
        .input("iou_threshold: T_threshold");
  }

  private static Declaration sampler(String name) {
    return op(name)
        .input("image_size: T")
        .input("bounding_boxes: float")
        .output("begin: T")
        .output("size: T")
        .output("bboxes: float");
  }

  private static Declaration sampled(Declaration declaration) {
    return declaration
        .attr("aspect_ratio_range: list(float) = [0.75, 1.33]")
        .attr("area_range: list(float) = [0.05, 1.0]")
        .attr("max_attempts: int = 100")
        .attr("use_image_if_no_bounding_boxes: bool = false")
        .shape(BoxOps::sampledShape);
  }

  private static void sampledShape(InferenceContext context) {
    context.withRank(0, 1);
    context.withRank(1, 3);
    if (context.inputCount() > 2) {
      context.withRank(2, 0);
    }
    context.output(0, Shape.of(3));
    context.output(1, Shape.of(3));
    context.output(2, Shape.of(1, 1, 4));
  }

  private static void drawnShape(InferenceContext context) {
    context.withRank(0, 4);
    context.withRank(1, 3);
    ShapeRules.unchanged(context);
  }

  private static void combinedShape(InferenceContext context) {
    Shape boxes = context.withRank(0, 4);
    Shape scores = context.withRank(1, 3);
    for (int i = 2; i < 6; i++) {
      context.withRank(i, 0);
    }
    long batch = boxes.slice(0, 2).merge(scores.slice(0, 2)).size(0);
    long count = positive(context, 3);
    if (count != Shape.UNKNOWN && context.attributes().bool("pad_per_class")) {
      long perClass = positive(context, 2);
      boolean known = perClass != Shape.UNKNOWN && scores.size(2) != Shape.UNKNOWN;
      count = known ? Math.min(count, perClass * scores.size(2)) : Shape.UNKNOWN;
    }
    context.output(0, Shape.of(batch, count, 4));
    context.output(1, Shape.of(batch, count));
    context.output(2, Shape.of(batch, count));
    context.output(3, Shape.of(batch));
  }

  /** A limit, if it is known and one that the kernel takes. */
  private static long positive(InferenceContext context, int input) {
    return KnownValues.complete(context, input)
        .map(values -> values[0])
        .filter(value -> value > 0)
        .orElse(Shape.UNKNOWN);
  }

  /** The number of picked boxes is known only if there are always as many. */
  private static Shape selectedShape(InferenceContext context, int inputs) {
    Shape boxes = context.withRank(0, 2);
    boxes.slice(0, 1).merge(context.withRank(1, 1));
    for (int i = 2; i < inputs; i++) {
      context.withRank(i, 0);
    }
    boolean padded =
        context.attributes().has("pad_to_max_output_size")
            && context.attributes().bool("pad_to_max_output_size");
    long count =
        padded
            ? KnownValues.complete(context, 2).map(v -> v[0]).orElse(Shape.UNKNOWN)
            : Shape.UNKNOWN;
    Shape selected = Shape.of(Math.max(Shape.UNKNOWN, count));
    context.output(0, selected);
    return selected;
  }
}
