package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.image.CropKernels;
import dev.tributary.internal.kernel.image.ImagePatches;
import dev.tributary.internal.kernel.image.ProjectiveTransform;
import dev.tributary.internal.kernel.image.RandomCrop;
import dev.tributary.internal.kernel.random.GuardedPhilox;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.Shape;
import java.util.List;

/**
 * Ops on images: parts of them, other places for their pixels, and what is above: sizes, boxes and
 * colours. Images are [batch, height, width, channels]; a box is [y1, x1, y2, x2].
 */
public final class ImageOps extends ColorOps {
  ImageOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
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
        op("ExtractImagePatches")
            .input("images: T")
            .output("patches: T")
            .attr("ksizes: list(int) >= 4")
            .attr("strides: list(int) >= 4")
            .attr("rates: list(int) >= 4")
            .attr(
                "T: {bfloat16, half, float, double, int8, int16, int32, int64, uint8, uint16,"
                    + " uint32, uint64, complex64, complex128, bool}")
            .attr("padding: {'SAME', 'VALID'}")
            .shape(c -> c.output(0, ImagePatches.of(c.attributes()).output(c.withRank(0, 4))))
            .kernel(ImagePatches::kernel)
            .grad(ImageOps::patchesGradient),
        transform("ImageProjectiveTransformV2"),
        transform("ImageProjectiveTransformV3", "fill_value: float"),
        RandomOps.seeded(
                op("RandomCrop")
                    .input("image: T")
                    .input("size: int64")
                    .output("output: T")
                    .attr("T: {uint8, int8, int16, int32, int64, float, double}"))
            .deprecated(8, "Random crop is now pure Python")
            .shape(
                c -> {
                  Shape image = c.withRank(0, 3);
                  Shape size = c.knownShape(1).merge(Shape.ofRank(2));
                  c.output(0, Shape.of(size.size(0), size.size(1), image.size(2)));
                })
            .kernel(
                node -> {
                  GuardedPhilox state = RandomOps.state(node);
                  return c -> RandomCrop.run(c, state);
                })
            .notDifferentiable());
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
   * The patches below each position of a window, with their pixels one behind the other: [batch,
   * rows, columns, height * width * channels].
   *
   * @param height the height of the window
   * @param width the width of the window
   * @param stride how far the window moves, down and to the right
   */
  public Output extractPatches(Operand images, int height, int width, int stride, Padding padding) {
    return scope
        .operation("ExtractImagePatches")
        .input(images)
        .attr("ksizes", new long[] {1, height, width, 1})
        .attr("strides", new long[] {1, stride, stride, 1})
        .attr("rates", new long[] {1, 1, 1, 1})
        .attr("padding", padding.name())
        .buildOutput();
  }

  /**
   * Images whose pixels come from other places, interpolated between pixels.
   *
   * @param transforms a row [a0, a1, a2, b0, b1, b2, c0, c1] for each image, or one for all: pixel
   *     (x, y) of the result comes from ((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k) with k =
   *     c0 x + c1 y + 1
   * @param size the height and width of the result
   * @param fillValue the value of pixels from outside of the image, a float scalar
   */
  public Output projectiveTransform(
      Operand images, Operand transforms, Operand size, Operand fillValue) {
    return scope
        .operation("ImageProjectiveTransformV3")
        .input(images)
        .input(transforms)
        .input(size)
        .input(fillValue)
        .attr("interpolation", "BILINEAR")
        .buildOutput();
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

  /**
   * Adds up the gradients of all places to which a pixel went. The same op on the numbers of the
   * pixels tells where they come from; 0 is the padding.
   */
  private static List<Output> patchesGradient(Ops tf, Operation op, Output dy) {
    Output shape = tf.shape(op.input(0));
    Output batch = part(tf, shape, 0, 1);
    Output size = part(tf, shape, 1, 2);
    Output channels = part(tf, shape, 3, 1);
    Output one = tf.constant(new int[] {1});
    Output pixels = tf.math.prod(size, tf.constant(0), false);
    Output end = tf.add(pixels, tf.constant(1));
    Output numbers =
        tf.reshape(tf.range(tf.constant(1), end, tf.constant(1)), tf.concat(0, one, size, one));
    Output places = tf.reshape(SameAttributes.output(tf, op, "ExtractImagePatches", numbers), -1);
    Output count = tf.reshape(tf.size(places), 1);
    Output taps = tf.transpose(tf.reshape(dy, tf.concat(0, batch, count, channels)), 1, 0, 2);
    Output sums = tf.math.unsortedSegmentSum(taps, places, end);
    Output inside = tf.slice(sums, new int[] {1, 0, 0}, new int[] {-1, -1, -1});
    return List.of(tf.reshape(tf.transpose(inside, 1, 0, 2), shape));
  }

  private static Output part(Ops tf, Output shape, int first, int count) {
    return tf.slice(shape, new int[] {first}, new int[] {count});
  }

  private static OpDeclaration transform(String name, String... more) {
    Declaration declaration =
        op(name).input("images: dtype").input("transforms: float").input("output_shape: int32");
    for (String input : more) {
      declaration.input(input);
    }
    return declaration
        .output("transformed_images: dtype")
        .attr("dtype: {uint8, int32, int64, half, bfloat16, float, double}")
        .attr("interpolation: string")
        .attr("fill_mode: string = 'CONSTANT'")
        .shape(
            c -> {
              Shape images = c.withRank(0, 4);
              Shape size = c.knownShape(2).merge(Shape.ofRank(2));
              c.output(0, Shape.of(images.size(0), size.size(0), size.size(1), images.size(3)));
            })
        .kernel(ProjectiveTransform::of)
        .notDifferentiable();
  }

  private static void cropShape(InferenceContext context) {
    Shape image = context.withRank(0, 4);
    Shape boxes = context.withRank(1, 2);
    Shape numbers = context.withRank(2, 1);
    Shape size = context.knownShape(3).merge(Shape.ofRank(2));
    long count = boxes.slice(0, 1).merge(numbers).size(0);
    context.output(0, Shape.of(count, size.size(0), size.size(1), image.size(3)));
  }
}
