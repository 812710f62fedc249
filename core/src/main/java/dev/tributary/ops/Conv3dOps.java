package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.math.HalvesInFloat;
import dev.tributary.internal.kernel.nn.VolumeConvolution;
import dev.tributary.internal.kernel.nn.VolumeSpec;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Convolutions of volumes, which are [batch, depth, height, width, channels]. */
abstract sealed class Conv3dOps extends Pool3dOps permits ArgmaxPoolOps {
  private static final String INPUT_GRADIENT = "Conv3DBackpropInputV2";
  private static final String FILTER_GRADIENT = "Conv3DBackpropFilterV2";

  Conv3dOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        attributes(op("Conv3D").input("input: T").input("filter: T"))
            .shape(
                c ->
                    c.output(
                        0,
                        VolumeSpec.of(c.attributes()).output(c.withRank(0, 5), c.withRank(1, 5))))
            .kernel(HalvesInFloat.of(VolumeConvolution::forward))
            .grad(
                (tf, op, dy) ->
                    List.of(
                        SameAttributes.output(
                            tf, op, INPUT_GRADIENT, tf.shape(op.input(0)), op.input(1), dy),
                        SameAttributes.output(
                            tf, op, FILTER_GRADIENT, op.input(0), tf.shape(op.input(1)), dy))),
        attributes(
                op(INPUT_GRADIENT)
                    .input("input_sizes: Tshape")
                    .input("filter: T")
                    .input("out_backprop: T"))
            .attr("Tshape: {int32, int64} = int32")
            .shape(c -> sizes(c, 0))
            .kernel(
                HalvesInFloat.of(
                    node -> VolumeConvolution.inputGradient(node, IndexTensors::toShape)))
            .grad(
                (tf, op, dy) ->
                    List.of(
                        GradientValue.none(),
                        SameAttributes.output(
                            tf, op, FILTER_GRADIENT, dy, tf.shape(op.input(1)), op.input(2)),
                        SameAttributes.output(tf, op, "Conv3D", dy, op.input(1)))),
        attributes(
                op(FILTER_GRADIENT)
                    .input("input: T")
                    .input("filter_sizes: int32")
                    .input("out_backprop: T"))
            .shape(c -> sizes(c, 1))
            .kernel(
                HalvesInFloat.of(
                    node -> VolumeConvolution.filterGradient(node, IndexTensors::toShape)))
            .grad(
                (tf, op, dy) ->
                    List.of(
                        SameAttributes.output(
                            tf, op, INPUT_GRADIENT, tf.shape(op.input(0)), dy, op.input(2)),
                        GradientValue.none(),
                        SameAttributes.output(tf, op, "Conv3D", op.input(0), dy))),
        withTensors("Conv3DBackpropInput")
            .shape(c -> c.output(0, c.withRank(0, 5)))
            .kernel(HalvesInFloat.of(node -> VolumeConvolution.inputGradient(node, Tensor::shape)))
            .notDifferentiable(),
        withTensors("Conv3DBackpropFilter")
            .shape(c -> c.output(0, c.withRank(1, 5)))
            .kernel(HalvesInFloat.of(node -> VolumeConvolution.filterGradient(node, Tensor::shape)))
            .notDifferentiable());
  }

  /** An old form of a gradient, with a tensor where the new form has only its sizes. */
  private static Declaration withTensors(String name) {
    return op(name)
        .input("input: T")
        .input("filter: T")
        .input("out_backprop: T")
        .output("output: T")
        .attr("T: {half, float, double}")
        .attr("strides: list(int) >= 5")
        .attr("padding: {'SAME', 'VALID'}")
        .attr("dilations: list(int) = [1, 1, 1, 1, 1]")
        .deprecated(10, "Use " + name + "V2")
        .flag(OpFlag.EXPENSIVE);
  }

  /**
   * Slides a filter [depth, height, width, channels, results] over volumes.
   *
   * @param stride the step along depth, height and width
   */
  public Output conv3d(Operand input, Operand filter, int stride, Padding padding) {
    return convolution("Conv3D", stride, padding, input, filter);
  }

  /** The gradient of {@link #conv3d} by its input, whose sizes are an integer vector. */
  public Output conv3dBackpropInput(
      Operand inputSizes, Operand filter, Operand outBackprop, int stride, Padding padding) {
    return convolution(INPUT_GRADIENT, stride, padding, inputSizes, filter, outBackprop);
  }

  private Output convolution(String name, int stride, Padding padding, Operand... inputs) {
    OperationBuilder builder = scope.operation(name);
    for (Operand input : inputs) {
      builder.input(input);
    }
    return builder
        .attr("strides", new long[] {1, stride, stride, stride, 1})
        .attr("padding", padding.name())
        .buildOutput();
  }

  private static Declaration attributes(Declaration declaration) {
    return declaration
        .output("output: T")
        .attr("T: {half, bfloat16, float, double}")
        .attr("strides: list(int) >= 5")
        .attr("padding: {'SAME', 'VALID'}")
        .attr("data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'")
        .attr("dilations: list(int) = [1, 1, 1, 1, 1]")
        .flag(OpFlag.EXPENSIVE);
  }

  private static void sizes(InferenceContext context, int input) {
    context.withRank(2, 5);
    context.output(0, context.knownShape(input).merge(Shape.ofRank(5)));
  }
}
