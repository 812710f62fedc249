package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.image.CropKernels;
import dev.tributary.internal.kernel.image.NonMaxSuppression;
import dev.tributary.internal.kernel.image.ResizeKernels;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.Shape;
import java.util.List;

/**
 * Ops that resize images and cut parts out of them. Images are [batch, height, width, channels]; a
 * box is [y1, x1, y2, x2].
 */
public final class ImageOps {
  private final Scope scope;

  ImageOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        resize(
                "ResizeBilinear",
                "float",
                "int8, uint8, int16, uint16, int32, int64, bfloat16, half, float, double, bfloat16")
            .kernel(ResizeKernels::bilinear)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        op.input(0).type().isFloating()
                            ? tf.image.resizeGradient("ResizeBilinearGrad", op, dy, op.input(0))
                            : GradientValue.none(),
                        GradientValue.none())),
        aligned(
                op("ResizeBilinearGrad")
                    .input("grads: float")
                    .input("original_image: T")
                    .output("output: T")
                    .attr("T: {float, bfloat16, half, double}"))
            .shape(
                c -> {
                  Shape gradient = c.withRank(0, 4);
                  Shape original = c.withRank(1, 4);
                  c.output(
                      0,
                      Shape.of(
                          gradient.size(0), original.size(1), original.size(2), gradient.size(3)));
                })
            .kernel(ResizeKernels::bilinearGradient)
            .notDifferentiable(),
        resize(
                "ResizeNearestNeighbor",
                "T",
                "int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16")
            .kernel(ResizeKernels::nearest)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        tf.image.resizeGradient(
                            "ResizeNearestNeighborGrad", op, dy, tf.image.sizeOf(op.input(0))),
                        GradientValue.none())),
        aligned(
                op("ResizeNearestNeighborGrad")
                    .input("grads: T")
                    .input("size: int32")
                    .output("output: T")
                    .attr("T: {uint8, int8, int32, half, float, double, bfloat16}"))
            .shape(ImageOps::resizedShape)
            .kernel(ResizeKernels::nearestGradient)
            .notDifferentiable(),
        op("CropAndResize")
            .input("image: T")
            .input("boxes: float")
            .input("box_ind: int32")
            .input("crop_size: int32")
            .output("crops: float")
            .attr("T: {uint8, uint16, int8, int16, int32, int64, half, float, double}")
            .attr("method: {'bilinear', 'nearest'} = 'bilinear'")
            .attr("extrapolation_value: float = 0")
            .shape(ImageOps::cropShape)
            .kernel(CropKernels::crop)
            .grad(ImageOps::cropGradient),
        op("CropAndResizeGradImage")
            .input("grads: float")
            .input("boxes: float")
            .input("box_ind: int32")
            .input("image_size: int32")
            .output("output: T")
            .attr("T: {float, half, double}")
            .attr("method: {'bilinear', 'nearest'} = 'bilinear'")
            .shape(c -> c.output(0, c.knownShape(3).merge(Shape.ofRank(4))))
            .kernel(CropKernels::imageGradient)
            .notDifferentiable(),
        op("CropAndResizeGradBoxes")
            .input("grads: float")
            .input("image: T")
            .input("boxes: float")
            .input("box_ind: int32")
            .output("output: float")
            .attr("T: {uint8, uint16, int8, int16, int32, int64, half, float, double}")
            .attr("method: {'bilinear'} = 'bilinear'")
            .shape(c -> c.output(0, Shape.of(c.withRank(2, 2).size(0), 4)))
            .kernel(CropKernels::boxesGradient)
            .notDifferentiable(),
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
            .notDifferentiable());
  }

  /** Images of another size, where pixels are weighted means of their neighbours. */
  public Output resizeBilinear(Operand images, int height, int width) {
    return resize("ResizeBilinear", images, size(height, width), false, true);
  }

  /**
   * The same with another alignment of the pixels of both images.
   *
   * @param size the new height and width
   * @param alignCorners whether the centers of the outermost pixels meet
   * @param halfPixelCenters whether centers are in the middle of pixels, as in TensorFlow 2; not
   *     with {@code alignCorners}
   */
  public Output resizeBilinear(
      Operand images, Operand size, boolean alignCorners, boolean halfPixelCenters) {
    return resize("ResizeBilinear", images, size, alignCorners, halfPixelCenters);
  }

  /** Images of another size, whose pixels are the nearest ones of the original. */
  public Output resizeNearestNeighbor(Operand images, int height, int width) {
    return resize("ResizeNearestNeighbor", images, size(height, width), false, true);
  }

  /** The same with another alignment, as in {@link #resizeBilinear}. */
  public Output resizeNearestNeighbor(
      Operand images, Operand size, boolean alignCorners, boolean halfPixelCenters) {
    return resize("ResizeNearestNeighbor", images, size, alignCorners, halfPixelCenters);
  }

  /**
   * Cuts boxes out of images, and brings them all to one size.
   *
   * @param boxes a row [y1, x1, y2, x2] each, where 1 is the last pixel of the image
   * @param images the number of the image that each box is cut from
   * @param size the height and width of all crops
   */
  public Output cropAndResize(Operand image, Operand boxes, Operand images, Operand size) {
    return scope
        .operation("CropAndResize")
        .input(image)
        .input(boxes)
        .input(images)
        .input(size)
        .buildOutput();
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

  private Output resize(
      String type, Operand images, Operand size, boolean alignCorners, boolean halfPixelCenters) {
    return scope
        .operation(type)
        .input(images)
        .input(size)
        .attr("align_corners", alignCorners)
        .attr("half_pixel_centers", halfPixelCenters)
        .buildOutput();
  }

  private Output size(int height, int width) {
    return new Ops(scope).constant(height, width);
  }

  private Output sizeOf(Output images) {
    Ops tf = new Ops(scope);
    return tf.slice(tf.shape(images), new int[] {1}, new int[] {2});
  }

  private Output resizeGradient(String type, Operation resize, Output dy, Output original) {
    return resize(
        type,
        dy,
        original,
        resize.attributes().bool("align_corners"),
        resize.attributes().bool("half_pixel_centers"));
  }

  private static List<GradientValue> cropGradient(Ops tf, Operation op, Output dy) {
    Output image = op.input(0);
    Scope scope = tf.scope();
    GradientValue ofImage =
        image.type().isFloating()
            ? scope
                .operation("CropAndResizeGradImage")
                .input(dy)
                .input(op.input(1))
                .input(op.input(2))
                .input(tf.shape(image))
                .attr("T", image.type())
                .attr("method", op.attributes().string("method"))
                .buildOutput()
            : GradientValue.none();
    Output ofBoxes =
        scope
            .operation("CropAndResizeGradBoxes")
            .input(dy)
            .input(image)
            .input(op.input(1))
            .input(op.input(2))
            .buildOutput();
    return List.of(ofImage, ofBoxes, GradientValue.none(), GradientValue.none());
  }

  private static Declaration resize(String name, String result, String types) {
    return aligned(
            op(name)
                .input("images: T")
                .input("size: int32")
                .output("resized_images: " + result)
                .attr("T: {" + types + "}"))
        .shape(ImageOps::resizedShape);
  }

  private static Declaration aligned(Declaration declaration) {
    return declaration.attr("align_corners: bool = false").attr("half_pixel_centers: bool = false");
  }

  private static Declaration suppression(String name) {
    return op(name)
        .input("boxes: T")
        .input("scores: T")
        .input("max_output_size: int32")
        .input("iou_threshold: T_threshold");
  }

  private static void resizedShape(InferenceContext context) {
    Shape images = context.withRank(0, 4);
    Shape size = context.knownShape(1).merge(Shape.ofRank(2));
    context.output(0, Shape.of(images.size(0), size.size(0), size.size(1), images.size(3)));
  }

  private static void cropShape(InferenceContext context) {
    Shape image = context.withRank(0, 4);
    Shape boxes = context.withRank(1, 2);
    Shape numbers = context.withRank(2, 1);
    Shape size = context.knownShape(3).merge(Shape.ofRank(2));
    long count = boxes.slice(0, 1).merge(numbers).size(0);
    context.output(0, Shape.of(count, size.size(0), size.size(1), image.size(3)));
  }

  /** How many boxes are picked is known only if there are always as many. */
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
