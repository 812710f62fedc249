package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.math.HalvesInFloat;
import dev.tributary.internal.kernel.nn.ConvSpec;
import dev.tributary.internal.kernel.nn.GeneralConvolution;
import dev.tributary.internal.kernel.nn.PaddedConvolution;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/**
 * Convolutions that other programs write: of any rank, or with what happens to the image before, as
 * TensorFlow's tool for mobile graphs had them. No client method makes them.
 */
final class ImportedConvOps {
  private ImportedConvOps() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        op("Conv")
            .input("input: T")
            .input("filter: T")
            .output("output: T")
            .attr("T: {half, bfloat16, float, double, int32}")
            .attr("strides: list(int)")
            .attr("padding: {'SAME', 'VALID', 'EXPLICIT'}")
            .attr("explicit_paddings: list(int) = []")
            .attr("data_format: {'CHANNELS_FIRST', 'CHANNELS_LAST'} = 'CHANNELS_LAST'")
            .attr("dilations: list(int) = []")
            .attr("batch_dims: int = 1")
            .attr("groups: int = 1")
            .flag(OpFlag.EXPENSIVE)
            .shape(
                c -> c.output(0, GeneralConvolution.output(c.attributes(), c.input(0), c.input(1))))
            .kernel(HalvesInFloat.of(GeneralConvolution::kernel))
            .notDifferentiable(),
        attributes(
                op("FusedPadConv2D")
                    .input("input: T")
                    .input("paddings: int32")
                    .input("filter: T")
                    .output("output: T")
                    .attr("T: {half, bfloat16, float, double}"))
            .shape(c -> shape(c, 2))
            .kernel(HalvesInFloat.of(PaddedConvolution::padded))
            .notDifferentiable(),
        attributes(
                op("FusedResizeAndPadConv2D")
                    .input("input: T")
                    .input("size: int32")
                    .input("paddings: int32")
                    .input("filter: T")
                    .output("output: T")
                    .attr("T: {half, float, double}")
                    .attr("resize_align_corners: bool = false"))
            .shape(c -> shape(c, 3))
            .kernel(HalvesInFloat.of(PaddedConvolution::resizedAndPadded))
            .notDifferentiable());
  }

  private static Declaration attributes(Declaration declaration) {
    return declaration
        .attr("mode: {'REFLECT', 'SYMMETRIC'}")
        .attr("strides: list(int)")
        .attr("padding: {'SAME', 'VALID'}")
        .flag(OpFlag.EXPENSIVE);
  }

  /** The sizes are known as far as those that inputs hold are. */
  private static void shape(InferenceContext context, int filter) {
    Shape image = context.withRank(0, 4);
    if (filter == 3) {
      Optional<Tensor> size = context.constant(1);
      image = Shape.of(image.size(0), element(size, 0, 2), element(size, 1, 2), image.size(3));
    }
    Optional<Tensor> paddings = context.constant(filter - 1);
    Shape padded =
        Shape.of(
            image.size(0), padded(image, paddings, 1), padded(image, paddings, 2), image.size(3));
    context.output(
        0, ConvSpec.of(context.attributes()).output(padded, context.withRank(filter, 4)));
  }

  private static long padded(Shape image, Optional<Tensor> paddings, int dimension) {
    long before = element(paddings, 2 * dimension, 8);
    long after = element(paddings, 2 * dimension + 1, 8);
    long size = image.size(dimension);
    return Math.min(size, Math.min(before, after)) < 0 ? Shape.UNKNOWN : size + before + after;
  }

  /** An element of a tensor of so many, if that is known and no negative size. */
  private static long element(Optional<Tensor> tensor, int i, int count) {
    return tensor
        .filter(known -> known.elementCount() == count)
        .map(known -> Math.max(Shape.UNKNOWN, IndexTensors.at(known, i)))
        .orElse(Shape.UNKNOWN);
  }
}
