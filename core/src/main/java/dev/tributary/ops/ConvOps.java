package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.math.HalvesInFloat;
import dev.tributary.internal.kernel.nn.ConvKernels;
import dev.tributary.internal.kernel.nn.ConvSpec;
import dev.tributary.internal.kernel.nn.ElementTypes;
import dev.tributary.internal.op.FusionRole;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Convolutions. */
abstract sealed class ConvOps extends PoolOps permits ActivationOps {
  private static final String REAL = "T: {half, bfloat16, float, double}";
  private static final String REAL_OR_INT = "T: {half, bfloat16, float, double, int32}";

  ConvOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>();
    FusionRole product =
        new FusionRole.Product(
            FusedOps.CONV_2D, Set.of(DataType.FLOAT, DataType.DOUBLE), Optional.empty());
    all.addAll(convolutions("Conv2D", ConvSpec::of, REAL_OR_INT, Optional.of(product)));
    all.addAll(convolutions("DepthwiseConv2dNative", ConvSpec::depthwise, REAL, Optional.empty()));
    return all;
  }

  /** A convolution and its two gradients, which are gradients of each other. */
  private static List<OpDeclaration> convolutions(
      String name, Function<Attributes, ConvSpec> spec, String types, Optional<FusionRole> fusion) {
    String inputGradient = name + "BackpropInput";
    String filterGradient = name + "BackpropFilter";
    Declaration forward = attributes(op(name).input("input: T").input("filter: T"), types);
    fusion.ifPresent(forward::fusion);
    return List.of(
        forward
            .shape(
                c ->
                    c.output(
                        0, spec.apply(c.attributes()).output(c.withRank(0, 4), c.withRank(1, 4))))
            .kernel(kernel(spec, ConvKernels::forward))
            .grad(
                (tf, op, dy) ->
                    List.of(
                        SameAttributes.output(
                            tf, op, inputGradient, tf.shape(op.input(0)), op.input(1), dy),
                        SameAttributes.output(
                            tf, op, filterGradient, op.input(0), tf.shape(op.input(1)), dy))),
        attributes(
                op(inputGradient)
                    .input("input_sizes: int32")
                    .input("filter: T")
                    .input("out_backprop: T"),
                types)
            .shape(c -> inputGradientShape(c, spec.apply(c.attributes())))
            .kernel(kernel(spec, ConvKernels::inputGradient))
            .grad(
                (tf, op, dy) ->
                    List.of(
                        GradientValue.none(),
                        SameAttributes.output(
                            tf, op, filterGradient, dy, tf.shape(op.input(1)), op.input(2)),
                        SameAttributes.output(tf, op, name, dy, op.input(1)))),
        attributes(
                op(filterGradient)
                    .input("input: T")
                    .input("filter_sizes: int32")
                    .input("out_backprop: T"),
                REAL)
            .shape(ConvOps::filterGradientShape)
            .kernel(kernel(spec, ConvKernels::filterGradient))
            .grad(
                (tf, op, dy) ->
                    List.of(
                        SameAttributes.output(
                            tf, op, inputGradient, tf.shape(op.input(0)), dy, op.input(2)),
                        GradientValue.none(),
                        SameAttributes.output(tf, op, name, op.input(0), dy))));
  }

  private static Declaration attributes(Declaration declaration, String types) {
    declaration.output("output: T").attr(types).attr("strides: list(int)");
    if (declaration.name().startsWith("Conv2D")) {
      declaration.attr("use_cudnn_on_gpu: bool = true");
    }
    return declaration
        .attr("padding: {'SAME', 'VALID', 'EXPLICIT'}")
        .attr("explicit_paddings: list(int) = []")
        .attr("data_format: {'NHWC', 'NCHW'} = 'NHWC'")
        .attr("dilations: list(int) = [1, 1, 1, 1]")
        .flag(OpFlag.EXPENSIVE);
  }

  private static KernelFactory kernel(
      Function<Attributes, ConvSpec> spec, BiConsumer<KernelContext, ConvSpec> convolution) {
    return HalvesInFloat.of(
        node -> {
          ElementTypes.requireReal(node.type());
          ConvSpec read = spec.apply(node.attributes());
          return c -> convolution.accept(c, read);
        });
  }

  Output conv2d(Operand input, Operand filter, int stride, Padding padding) {
    return conv2d(input, filter, ConvOptions.of(stride, padding));
  }

  Output conv2d(Operand input, Operand filter, ConvOptions options) {
    return convolution("Conv2D", options, input, filter);
  }

  /** The gradient of {@link #conv2d} by its input, whose sizes are an int32 vector. */
  public Output conv2dBackpropInput(
      Operand inputSizes, Operand filter, Operand outBackprop, ConvOptions options) {
    return convolution("Conv2DBackpropInput", options, inputSizes, filter, outBackprop);
  }

  public Output conv2dBackpropFilter(
      Operand input, Operand filterSizes, Operand outBackprop, ConvOptions options) {
    return convolution("Conv2DBackpropFilter", options, input, filterSizes, outBackprop);
  }

  /**
   * A convolution of each channel by itself, with a filter [height, width, channels, multiplier].
   */
  public Output depthwiseConv2d(Operand input, Operand filter, int stride, Padding padding) {
    return depthwiseConv2d(input, filter, ConvOptions.of(stride, padding));
  }

  public Output depthwiseConv2d(Operand input, Operand filter, ConvOptions options) {
    return convolution("DepthwiseConv2dNative", options, input, filter);
  }

  private Output convolution(String name, ConvOptions options, Operand... inputs) {
    OperationBuilder builder = scope.operation(name);
    for (Operand input : inputs) {
      builder.input(input);
    }
    return builder
        .attr("strides", options.strides())
        .attr("padding", options.padding().name())
        .attr("explicit_paddings", options.explicitPaddings())
        .attr("data_format", options.format().name())
        .attr("dilations", options.dilations())
        .buildOutput();
  }

  private static void inputGradientShape(InferenceContext context, ConvSpec spec) {
    Shape sizes = context.knownShape(0);
    Shape filter = context.withRank(1, 4);
    Shape gradient = context.withRank(2, 4);
    context.output(0, sizes.hasRank() ? spec.image(sizes, filter, gradient) : Shape.ofRank(4));
  }

  private static void filterGradientShape(InferenceContext context) {
    context.withRank(0, 4);
    context.withRank(2, 4);
    context.output(0, context.knownShape(1).merge(Shape.ofRank(4)));
  }
}
