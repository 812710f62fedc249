package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.math.HalvesInFloat;
import dev.tributary.internal.kernel.nn.ElementTypes;
import dev.tributary.internal.kernel.nn.PoolKernels;
import dev.tributary.internal.kernel.nn.PoolSpec;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.KnownValue;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Pooling and its gradients; the public methods are in {@link CommonOps}. */
abstract sealed class PoolOps extends ArgmaxPoolOps permits ConvOps {
  private static final String PADDING = "padding: {'SAME', 'VALID'}";
  private static final String ANY_PADDING = "padding: {'SAME', 'VALID', 'EXPLICIT'}";
  private static final String FORMAT = "data_format: {'NHWC', 'NCHW'} = 'NHWC'";
  private static final String VECTOR_FORMAT =
      "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'";
  private static final String POOLED =
      "T: {half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8} = float";
  private static final String REAL = "T: {half, bfloat16, float, double}";

  PoolOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("MaxPool")
            .input("input: T")
            .output("output: T")
            .attr(POOLED)
            .attr("ksize: list(int) >= 4")
            .attr("strides: list(int) >= 4")
            .attr(ANY_PADDING)
            .attr("explicit_paddings: list(int) = []")
            .attr(VECTOR_FORMAT)
            .shape(c -> c.output(0, PoolSpec.of(c.attributes()).output(c.withRank(0, 4))))
            .flag(OpFlag.EXPENSIVE)
            .flag(OpFlag.POOLS_MAXIMA)
            .kernel(kernel(PoolKernels::max))
            .grad(
                (tf, op, dy) ->
                    List.of(
                        SameAttributes.output(
                            tf, op, "MaxPoolGrad", op.input(0), op.output(0), dy))),
        op("MaxPoolV2")
            .input("input: T")
            .input("ksize: int32")
            .input("strides: int32")
            .output("output: T")
            .attr(POOLED)
            .attr(PADDING)
            .attr(VECTOR_FORMAT)
            .shape(c -> c.output(0, pooled(c, c.withRank(0, 4), 1)))
            .flag(OpFlag.EXPENSIVE)
            .kernel(fedKernel(1, PoolKernels::max))
            .grad(
                (tf, op, dy) ->
                    List.of(
                        SameAttributes.output(
                            tf,
                            op,
                            "MaxPoolGradV2",
                            op.input(0),
                            op.output(0),
                            dy,
                            op.input(1),
                            op.input(2)),
                        GradientValue.none(),
                        GradientValue.none())),
        maxGradient("MaxPoolGrad")
            .attr("ksize: list(int) >= 4")
            .attr("strides: list(int) >= 4")
            .attr(ANY_PADDING)
            .attr("explicit_paddings: list(int) = []")
            .attr(FORMAT)
            .attr(TypeSpecs.ORDERED + " = float")
            .shape(c -> c.output(0, c.withRank(0, 4)))
            .flag(OpFlag.SPREADS_TO_MAXIMA)
            .kernel(kernel(PoolKernels::maxGradient))
            .grad((tf, op, dy) -> ofThird(tf, op, dy, "MaxPoolGradGrad")),
        maxGradient("MaxPoolGradGrad")
            .attr("ksize: list(int) >= 4")
            .attr("strides: list(int) >= 4")
            .attr(PADDING)
            .attr(FORMAT)
            .attr(TypeSpecs.ORDERED)
            .shape(
                c ->
                    c.output(
                        0,
                        PoolSpec.of(c.attributes())
                            .output(c.withRank(0, 4))
                            .merge(c.withRank(1, 4))))
            .kernel(kernel(PoolKernels::maxSecondGradient))
            .grad((tf, op, dy) -> ofThird(tf, op, dy, "MaxPoolGrad")),
        maxGradient("MaxPoolGradV2")
            .input("ksize: int32")
            .input("strides: int32")
            .attr(PADDING)
            .attr(FORMAT)
            .attr(TypeSpecs.ORDERED + " = float")
            .shape(c -> c.output(0, c.withRank(0, 4)))
            .kernel(fedKernel(3, PoolKernels::maxGradient))
            .grad((tf, op, dy) -> ofThird(tf, op, dy, "MaxPoolGradGradV2")),
        maxGradient("MaxPoolGradGradV2")
            .input("ksize: int32")
            .input("strides: int32")
            .attr(PADDING)
            .attr(FORMAT)
            .attr(TypeSpecs.ORDERED)
            .shape(c -> c.output(0, pooled(c, c.withRank(0, 4), 3).merge(c.withRank(1, 4))))
            .kernel(fedKernel(3, PoolKernels::maxSecondGradient))
            .grad((tf, op, dy) -> ofThird(tf, op, dy, "MaxPoolGradV2")),
        op("AvgPool")
            .input("value: T")
            .output("output: T")
            .attr("ksize: list(int) >= 4")
            .attr("strides: list(int) >= 4")
            .attr(PADDING)
            .attr(FORMAT)
            .attr(REAL)
            .shape(c -> c.output(0, PoolSpec.of(c.attributes()).output(c.withRank(0, 4))))
            .flag(OpFlag.EXPENSIVE)
            .kernel(kernel(PoolKernels::average))
            .grad(
                (tf, op, dy) ->
                    List.of(
                        SameAttributes.output(tf, op, "AvgPoolGrad", tf.shape(op.input(0)), dy))),
        op("AvgPoolGrad")
            .input("orig_input_shape: int32")
            .input("grad: T")
            .output("output: T")
            .attr("ksize: list(int) >= 4")
            .attr("strides: list(int) >= 4")
            .attr(PADDING)
            .attr(FORMAT)
            .attr(REAL)
            .shape(c -> c.output(0, c.knownShape(0).merge(Shape.ofRank(4))))
            .flag(OpFlag.EXPENSIVE)
            .kernel(kernel(PoolKernels::averageGradient))
            .grad(
                (tf, op, dy) ->
                    List.of(GradientValue.none(), SameAttributes.output(tf, op, "AvgPool", dy))));
  }

  private static Declaration maxGradient(String name) {
    return op(name)
        .input("orig_input: T")
        .input("orig_output: T")
        .input("grad: T")
        .output("output: T")
        .flag(OpFlag.EXPENSIVE);
  }

  /** The gradient of an op that is linear in its third input and only picks by the others. */
  private static List<GradientValue> ofThird(Ops tf, Operation op, Output dy, String type) {
    Output zeros = tf.zerosLike(op.input(0));
    Output zerosOfPooled = tf.zerosLike(op.input(1));
    if (op.inputs().size() == 3) {
      return List.of(
          zeros, zerosOfPooled, SameAttributes.output(tf, op, type, op.input(0), op.input(1), dy));
    }
    Output back =
        SameAttributes.output(tf, op, type, op.input(0), op.input(1), dy, op.input(3), op.input(4));
    return List.of(zeros, zerosOfPooled, back, GradientValue.none(), GradientValue.none());
  }

  private static KernelFactory kernel(BiConsumer<KernelContext, PoolSpec> pooling) {
    return HalvesInFloat.of(
        node -> {
          ElementTypes.requireOrdered(node.type());
          PoolSpec spec = PoolSpec.of(node.attributes());
          return c -> pooling.accept(c, spec);
        });
  }

  /** A kernel whose window sizes and strides are inputs {@code first} and the next. */
  private static KernelFactory fedKernel(int first, BiConsumer<KernelContext, PoolSpec> pooling) {
    return HalvesInFloat.of(
        node -> {
          ElementTypes.requireOrdered(node.type());
          Attributes attributes = node.attributes();
          return c -> {
            long[] sizes = c.input(first).toIndices();
            long[] strides = c.input(first + 1).toIndices();
            pooling.accept(c, PoolSpec.of(attributes, sizes, strides));
          };
        });
  }

  private static Shape pooled(InferenceContext context, Shape image, int first) {
    Optional<KnownValue> sizes = context.known(first).filter(KnownValue::isComplete);
    Optional<KnownValue> strides = context.known(first + 1).filter(KnownValue::isComplete);
    if (sizes.isEmpty() || strides.isEmpty()) {
      return Shape.ofRank(4);
    }
    return PoolSpec.of(context.attributes(), sizes.get().elements(), strides.get().elements())
        .output(image);
  }

  Output maxPool(Operand input, int size, int stride, Padding padding) {
    return maxPool(input, size, size, ConvOptions.of(stride, padding));
  }

  Output maxPool(Operand input, int height, int width, ConvOptions options) {
    return pool("MaxPool", input, height, width, options)
        .attr("explicit_paddings", options.explicitPaddings())
        .buildOutput();
  }

  Output avgPool(Operand input, int size, int stride, Padding padding) {
    return avgPool(input, size, size, ConvOptions.of(stride, padding));
  }

  Output avgPool(Operand input, int height, int width, ConvOptions options) {
    return pool("AvgPool", input, height, width, options).buildOutput();
  }

  private OperationBuilder pool(
      String name, Operand input, int height, int width, ConvOptions options) {
    return scope
        .operation(name)
        .input(input)
        .attr("ksize", options.spatial(height, width))
        .attr("strides", options.strides())
        .attr("padding", options.padding().name())
        .attr("data_format", options.format().name());
  }
}
