package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.image.AreaResize;
import dev.tributary.internal.kernel.image.BicubicResize;
import dev.tributary.internal.kernel.image.ResizeKernels;
import dev.tributary.internal.kernel.image.ScaleKernels;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Ops that give images another size. Images are [batch, height, width, channels]. */
abstract sealed class ResizeOps permits BoxOps {
  private static final String NUMBERS =
      "int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16";

  final Scope scope;

  ResizeOps(Scope scope) {
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
            .shape(ResizeOps::originalShape)
            .kernel(ResizeKernels::bilinearGradient)
            .notDifferentiable(),
        resize("ResizeNearestNeighbor", "T", NUMBERS)
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
            .shape(ResizeOps::resizedShape)
            .kernel(ResizeKernels::nearestGradient)
            .notDifferentiable(),
        resize("ResizeBicubic", "float", NUMBERS)
            .kernel(BicubicResize::bicubic)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        isFloatOrDouble(op.input(0).type())
                            ? tf.image.resizeGradient("ResizeBicubicGrad", op, dy, op.input(0))
                            : GradientValue.none(),
                        GradientValue.none())),
        aligned(
                op("ResizeBicubicGrad")
                    .input("grads: float")
                    .input("original_image: T")
                    .output("output: T")
                    .attr("T: {float, double}"))
            .shape(ResizeOps::originalShape)
            .kernel(BicubicResize::gradient)
            .notDifferentiable(),
        op("ResizeArea")
            .input("images: T")
            .input("size: int32")
            .output("resized_images: float")
            .attr("T: {" + NUMBERS + "}")
            .attr("align_corners: bool = false")
            .shape(ResizeOps::resizedShape)
            .kernel(AreaResize::area)
            .notDifferentiable(),
        op("ScaleAndTranslate")
            .input("images: T")
            .input("size: int32")
            .input("scale: float")
            .input("translation: float")
            .output("resized_images: float")
            .attr("T: {int8, uint8, int16, uint16, int32, int64, bfloat16, half, float, double}")
            .attr("kernel_type: string = 'lanczos3'")
            .attr("antialias: bool = true")
            .shape(ResizeOps::resizedShape)
            .kernel(ScaleKernels::scale)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        scaleGradient(tf, op, dy),
                        GradientValue.none(),
                        GradientValue.none(),
                        GradientValue.none())),
        op("ScaleAndTranslateGrad")
            .input("grads: T")
            .input("original_image: T")
            .input("scale: float")
            .input("translation: float")
            .output("output: T")
            .attr("T: {float}")
            .attr("kernel_type: string = 'lanczos3'")
            .attr("antialias: bool = true")
            .shape(ResizeOps::originalShape)
            .kernel(ScaleKernels::gradient)
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

  /** Images of another size, where pixels are weighted means of sixteen neighbours. */
  public Output resizeBicubic(Operand images, int height, int width) {
    return resize("ResizeBicubic", images, size(height, width), false, true);
  }

  /** The same with another alignment, as in {@link #resizeBilinear}. */
  public Output resizeBicubic(
      Operand images, Operand size, boolean alignCorners, boolean halfPixelCenters) {
    return resize("ResizeBicubic", images, size, alignCorners, halfPixelCenters);
  }

  /** Images of another size, where pixels are the mean of the area that they cover. */
  public Output resizeArea(Operand images, int height, int width) {
    return scope.operation("ResizeArea").input(images).input(size(height, width)).buildOutput();
  }

  /**
   * Images scaled and then moved, on a canvas of a given size.
   *
   * @param size the height and width of the result
   * @param scale the vertical and horizontal factor
   * @param translation how far down and to the right the scaled image is moved
   * @param filter the weight of pixels by their distance, such as {@code "lanczos3"}, {@code
   *     "gaussian"}, {@code "box"}, {@code "triangle"} or {@code "keyscubic"}
   * @param antialias whether the filter is widened where the image shrinks
   */
  public Output scaleAndTranslate(
      Operand images,
      Operand size,
      Operand scale,
      Operand translation,
      String filter,
      boolean antialias) {
    return scope
        .operation("ScaleAndTranslate")
        .input(images)
        .input(size)
        .input(scale)
        .input(translation)
        .attr("kernel_type", filter)
        .attr("antialias", antialias)
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

  Output sizeOf(Output images) {
    Ops tf = new Ops(scope);
    return tf.slice(tf.shape(images), new int[] {1}, new int[] {2});
  }

  Output resizeGradient(String type, Operation resize, Output dy, Output original) {
    return resize(
        type,
        dy,
        original,
        resize.attributes().bool("align_corners"),
        resize.attributes().bool("half_pixel_centers"));
  }

  /** Stock has no kernel for the gradient of other types; the result is that of the cast image. */
  private static GradientValue scaleGradient(Ops tf, Operation op, Output dy) {
    Output images = op.input(0);
    if (!images.type().isFloating()) {
      return GradientValue.none();
    }
    Output gradient =
        SameAttributes.output(
            tf,
            op,
            "ScaleAndTranslateGrad",
            dy,
            tf.cast(images, DataType.FLOAT),
            op.input(2),
            op.input(3));
    return tf.cast(gradient, images.type());
  }

  private static boolean isFloatOrDouble(DataType type) {
    return type == DataType.FLOAT || type == DataType.DOUBLE;
  }

  private static Declaration resize(String name, String result, String types) {
    return aligned(
            op(name)
                .input("images: T")
                .input("size: int32")
                .output("resized_images: " + result)
                .attr("T: {" + types + "}"))
        .shape(ResizeOps::resizedShape);
  }

  private static Declaration aligned(Declaration declaration) {
    return declaration.attr("align_corners: bool = false").attr("half_pixel_centers: bool = false");
  }

  private static void resizedShape(InferenceContext context) {
    Shape images = context.withRank(0, 4);
    Shape size = context.knownShape(1).merge(Shape.ofRank(2));
    context.output(0, Shape.of(images.size(0), size.size(0), size.size(1), images.size(3)));
  }

  /** The shape of the original images, with the batch and channels of the gradient. */
  private static void originalShape(InferenceContext context) {
    Shape gradient = context.withRank(0, 4);
    Shape original = context.withRank(1, 4);
    context.output(
        0, Shape.of(gradient.size(0), original.size(1), original.size(2), gradient.size(3)));
  }
}
