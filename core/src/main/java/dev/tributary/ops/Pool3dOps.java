package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.nn.VolumePoolSpec;
import dev.tributary.internal.kernel.nn.VolumePooling;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Pooling of volumes, which are [batch, depth, height, width, channels]. */
abstract sealed class Pool3dOps extends MorphologyOps permits Conv3dOps {
  Pool3dOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        windows(op("MaxPool3D").input("input: T"))
            .attr("T: {half, bfloat16, float}")
            .shape(c -> c.output(0, pooled(c, c.withRank(0, 5))))
            .kernel(VolumePooling::max)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        SameAttributes.output(
                            tf, op, "MaxPool3DGrad", op.input(0), op.output(0), dy))),
        windows(
                op("MaxPool3DGrad")
                    .input("orig_input: TInput")
                    .input("orig_output: TInput")
                    .input("grad: T"))
            .attr("T: {half, bfloat16, float} = float")
            .attr("TInput: {half, bfloat16, float} = float")
            .shape(c -> c.output(0, c.withRank(0, 5)))
            .kernel(VolumePooling::maxGradient)
            .grad((tf, op, dy) -> ofThird(tf, op, dy, "MaxPool3DGradGrad")),
        windows(
                op("MaxPool3DGradGrad")
                    .input("orig_input: T")
                    .input("orig_output: T")
                    .input("grad: T"))
            .attr(TypeSpecs.ORDERED)
            .shape(c -> c.output(0, pooled(c, c.withRank(0, 5)).merge(c.withRank(1, 5))))
            .kernel(VolumePooling::maxSecondGradient)
            .grad((tf, op, dy) -> ofThird(tf, op, dy, "MaxPool3DGrad")),
        windows(op("AvgPool3D").input("input: T"))
            .attr("T: {half, bfloat16, float, double}")
            .shape(c -> c.output(0, pooled(c, c.withRank(0, 5))))
            .kernel(VolumePooling::average)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        SameAttributes.output(tf, op, "AvgPool3DGrad", tf.shape(op.input(0)), dy))),
        windows(op("AvgPool3DGrad").input("orig_input_shape: int32").input("grad: T"))
            .attr("T: {half, bfloat16, float, double}")
            .shape(c -> c.output(0, c.knownShape(0).merge(Shape.ofRank(5))))
            .kernel(VolumePooling::averageGradient)
            .grad(
                (tf, op, dy) ->
                    List.of(GradientValue.none(), SameAttributes.output(tf, op, "AvgPool3D", dy))),
        op("ExtractVolumePatches")
            .input("input: T")
            .output("patches: T")
            .attr("ksizes: list(int) >= 5")
            .attr("strides: list(int) >= 5")
            .attr(TypeSpecs.ORDERED)
            .attr("padding: {'SAME', 'VALID'}")
            .shape(
                c ->
                    c.output(
                        0, VolumePoolSpec.of(c.attributes(), "ksizes").patches(c.withRank(0, 5))))
            .kernel(VolumePooling::patches)
            .grad((tf, op, dy) -> List.of(gradientOfPatches(tf, op, dy))));
  }

  private static Declaration windows(Declaration declaration) {
    return declaration
        .output("output: T")
        .attr("ksize: list(int) >= 5")
        .attr("strides: list(int) >= 5")
        .attr("padding: {'SAME', 'VALID'}")
        .attr("data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'")
        .flag(OpFlag.EXPENSIVE);
  }

  private static Shape pooled(InferenceContext context, Shape volume) {
    return VolumePoolSpec.of(context.attributes(), "ksize").output(volume);
  }

  /** The gradient of an op that is linear in its third input and only picks by the others. */
  private static List<Output> ofThird(Ops tf, Operation op, Output dy, String type) {
    return List.of(
        tf.zerosLike(op.input(0)),
        tf.zerosLike(op.input(1)),
        SameAttributes.output(tf, op, type, op.input(0), op.input(1), dy));
  }

  /** Patches are the result of a convolution whose filter is an identity matrix. */
  private static Output gradientOfPatches(Ops tf, Operation op, Output dy) {
    Output results = tf.slice(tf.shape(dy), new int[] {4}, new int[] {1});
    Output identity = tf.linalg.diag(tf.fill(results, tf.constant(dy.type(), 1)));
    int[] window = VolumePoolSpec.of(op.attributes(), "ksizes").window();
    Output front = tf.constant(window[0], window[1], window[2], -1);
    Output filter = tf.reshape(identity, tf.concat(0, front, results));
    return SameAttributes.output(
        tf, op, "Conv3DBackpropInputV2", tf.shape(op.input(0)), filter, dy);
  }

  /** The largest element of each cube of {@code size} pixels a side. */
  public Output maxPool3d(Operand input, int size, int stride, Padding padding) {
    return pool("MaxPool3D", input, size, stride, padding);
  }

  /** The mean of each cube of {@code size} pixels a side; padding does not count. */
  public Output avgPool3d(Operand input, int size, int stride, Padding padding) {
    return pool("AvgPool3D", input, size, stride, padding);
  }

  /** The elements of each cube of {@code size} pixels a side, as the channels of one pixel. */
  public Output extractVolumePatches(Operand input, int size, int stride, Padding padding) {
    return scope
        .operation("ExtractVolumePatches")
        .input(input)
        .attr("ksizes", spatial(size))
        .attr("strides", spatial(stride))
        .attr("padding", padding.name())
        .buildOutput();
  }

  private Output pool(String name, Operand input, int size, int stride, Padding padding) {
    return scope
        .operation(name)
        .input(input)
        .attr("ksize", spatial(size))
        .attr("strides", spatial(stride))
        .attr("padding", padding.name())
        .buildOutput();
  }

  private static long[] spatial(int value) {
    return new long[] {1, value, value, value, 1};
  }
}
