package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.math.HalvesInFloat;
import dev.tributary.internal.kernel.nn.BatchNormKernel;
import dev.tributary.internal.kernel.nn.ChannelShapes;
import dev.tributary.internal.kernel.nn.ResponseNormKernel;
import dev.tributary.internal.op.FusionRole;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/** Batch normalisation and local response normalisation. */
abstract sealed class NormOps permits CtcOps {
  private static final String FLOAT = "T: {float}";
  private static final String NARROW = "T: {half, bfloat16, float}";
  private static final String FORMAT = "data_format: {'NHWC', 'NCHW'} = 'NHWC'";
  private static final String FORMAT_3D =
      "data_format: {'NHWC', 'NCHW', 'NDHWC', 'NCDHW'} = 'NHWC'";

  final Scope scope;

  NormOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        batchNorm("FusedBatchNorm", "T")
            .attr(FLOAT)
            .attr("epsilon: float = 0.0001")
            .attr("exponential_avg_factor: float = 1.0")
            .attr(FORMAT)
            .attr("is_training: bool = true")
            .gradAll((tf, op, dy) -> batchNormGradient(tf, op, dy.get(0), "FusedBatchNormGrad")),
        batchNorm("FusedBatchNormV2", "U")
            .attr(NARROW)
            .attr("U: {float}")
            .attr("epsilon: float = 0.0001")
            .attr("exponential_avg_factor: float = 1.0")
            .attr(FORMAT)
            .attr("is_training: bool = true")
            .gradAll((tf, op, dy) -> batchNormGradient(tf, op, dy.get(0), "FusedBatchNormGradV2")),
        batchNorm("FusedBatchNormV3", "U")
            .output("reserve_space_3: U")
            .attr(NARROW)
            .attr("U: {bfloat16, float}")
            .attr("epsilon: float = 0.0001")
            .attr("exponential_avg_factor: float = 1.0")
            .attr(FORMAT_3D)
            .attr("is_training: bool = true")
            .gradAll((tf, op, dy) -> batchNormGradient(tf, op, dy.get(0), "FusedBatchNormGradV3")),
        batchNormGrad("FusedBatchNormGrad", "T", "T", List.of("reserve_space_3", "reserve_space_4"))
            .attr(FLOAT)
            .attr("epsilon: float = 0.0001")
            .attr(FORMAT)
            .attr("is_training: bool = true")
            .gradAll(BatchNormSecondGradient::of),
        batchNormGrad(
                "FusedBatchNormGradV2", "float", "U", List.of("reserve_space_3", "reserve_space_4"))
            .attr(NARROW)
            .attr("U: {float}")
            .attr("epsilon: float = 0.0001")
            .attr(FORMAT)
            .attr("is_training: bool = true")
            .gradAll(BatchNormSecondGradient::of),
        batchNormGrad(
                "FusedBatchNormGradV3", "float", "U", List.of("reserve_space_4", "reserve_space_5"))
            .input("reserve_space_3: U")
            .attr(NARROW)
            .attr("U: {float}")
            .attr("epsilon: float = 0.0001")
            .attr(FORMAT_3D)
            .attr("is_training: bool = true")
            .gradAll(BatchNormSecondGradient::of),
        responseNorm(op("LRN").input("input: T"))
            .kernel(HalvesInFloat.of(node -> new ResponseNormKernel(node)::forward))
            .grad(
                (tf, op, dy) ->
                    List.of(
                        SameAttributes.output(tf, op, "LRNGrad", dy, op.input(0), op.output(0)))),
        responseNorm(
                op("LRNGrad")
                    .input("input_grads: T")
                    .input("input_image: T")
                    .input("output_image: T"))
            .kernel(HalvesInFloat.of(node -> new ResponseNormKernel(node)::gradient))
            .notDifferentiable());
  }

  private static Declaration batchNorm(String name, String statistics) {
    return op(name)
        .input("x: T")
        .input("scale: " + statistics)
        .input("offset: " + statistics)
        .input("mean: " + statistics)
        .input("variance: " + statistics)
        .output("y: T")
        .output("batch_mean: " + statistics)
        .output("batch_variance: " + statistics)
        .output("reserve_space_1: " + statistics)
        .output("reserve_space_2: " + statistics)
        .shape(NormOps::batchNormShape)
        .flag(OpFlag.EXPENSIVE)
        .fusion(new FusionRole.Norm(FusedOps.normalizedConvolutions()))
        .kernel(HalvesInFloat.of(BatchNormKernel::new));
  }

  private static Declaration batchNormGrad(
      String name, String scale, String statistics, List<String> unused) {
    Declaration declaration =
        op(name)
            .input("y_backprop: T")
            .input("x: T")
            .input("scale: " + scale)
            .input("reserve_space_1: " + statistics)
            .input("reserve_space_2: " + statistics)
            .output("x_backprop: T")
            .output("scale_backprop: " + statistics)
            .output("offset_backprop: " + statistics);
    unused.forEach(output -> declaration.output(output + ": " + statistics));
    return declaration
        .shape(NormOps::batchNormGradShape)
        .flag(OpFlag.EXPENSIVE)
        .kernel(HalvesInFloat.of(BatchNormKernel::gradient));
  }

  private static Declaration responseNorm(Declaration declaration) {
    return declaration
        .output("output: T")
        .attr("depth_radius: int = 5")
        .attr("bias: float = 1.0")
        .attr("alpha: float = 1.0")
        .attr("beta: float = 0.5")
        .attr(NARROW + " = float")
        .flag(OpFlag.EXPENSIVE)
        .shape(NormOps::imageShape);
  }

  // ---- client methods ----

  /** Normalises each channel of NHWC images by the mean and variance of this batch. */
  public NnOps.BatchNorm fusedBatchNorm(Operand x, Operand scale, Operand offset, float epsilon) {
    Output none = new Ops(scope).constant(new float[0]);
    return training(builder(x, scale, offset, none, none, epsilon).attr("is_training", true));
  }

  /**
   * The same, where mean and variance move towards this batch's by {@code factor}; by 1 they become
   * the batch's.
   */
  public NnOps.BatchNorm fusedBatchNorm(
      Operand x,
      Operand scale,
      Operand offset,
      Operand mean,
      Operand variance,
      float epsilon,
      float factor,
      DataFormat format) {
    return training(
        builder(x, scale, offset, mean, variance, epsilon)
            .attr("exponential_avg_factor", factor)
            .attr("data_format", format.name())
            .attr("is_training", true));
  }

  /**
   * Normalises each channel of NHWC images by a given mean and variance, as a trained model does.
   */
  public Output fusedBatchNormInference(
      Operand x, Operand scale, Operand offset, Operand mean, Operand variance, float epsilon) {
    return fusedBatchNormInference(x, scale, offset, mean, variance, epsilon, DataFormat.NHWC);
  }

  public Output fusedBatchNormInference(
      Operand x,
      Operand scale,
      Operand offset,
      Operand mean,
      Operand variance,
      float epsilon,
      DataFormat format) {
    return builder(x, scale, offset, mean, variance, epsilon)
        .attr("data_format", format.name())
        .attr("is_training", false)
        .buildOutput();
  }

  /**
   * Divides each value by a power of the squares of its neighbours, channels at most {@code radius}
   * away.
   */
  public Output lrn(Operand input, int radius, float bias, float alpha, float beta) {
    return scope
        .operation("LRN")
        .input(input)
        .attr("depth_radius", radius)
        .attr("bias", bias)
        .attr("alpha", alpha)
        .attr("beta", beta)
        .buildOutput();
  }

  private OperationBuilder builder(
      Operand x, Operand scale, Operand offset, Operand mean, Operand variance, float epsilon) {
    return scope
        .operation("FusedBatchNormV3")
        .input(x)
        .input(scale)
        .input(offset)
        .input(mean)
        .input(variance)
        .attr("epsilon", epsilon);
  }

  private static NnOps.BatchNorm training(OperationBuilder builder) {
    Operation operation = builder.build();
    return new NnOps.BatchNorm(operation.output(0), operation.output(1), operation.output(2));
  }

  // ---- shapes and gradients ----

  /**
   * In training, statistics are those that the op saved for this; otherwise the given ones, which
   * get no gradient.
   */
  private static List<GradientValue> batchNormGradient(
      Ops tf, Operation op, Output dy, String type) {
    boolean training = op.attributes().bool("is_training");
    List<Output> inputs = new ArrayList<>(List.of(dy, op.input(0), op.input(1)));
    inputs.add(training ? op.output(3) : op.input(3));
    inputs.add(training ? op.output(4) : op.input(4));
    if (op.outputCount() > 5) {
      inputs.add(op.output(5));
    }
    Operation gradient = SameAttributes.operation(tf, op, type, inputs);
    return List.of(
        gradient.output(0),
        gradient.output(1),
        gradient.output(2),
        GradientValue.none(),
        GradientValue.none());
  }

  static void batchNormShape(InferenceContext context) {
    boolean training = context.attributes().bool("is_training");
    boolean readsStatistics = !training || context.attributes().real("exponential_avg_factor") != 1;
    Shape vector = channels(context, 0, 1, readsStatistics ? 5 : 3);
    context.output(0, withChannels(context, 0, vector));
    for (int i = 1; i < 5; i++) {
      context.output(i, vector);
    }
    if (context.outputCount() > 5) {
      context.output(5, Shape.scalar());
    }
  }

  private static void batchNormGradShape(InferenceContext context) {
    context.merged(0, 1);
    Shape vector = channels(context, 1, 2, 5);
    context.output(0, withChannels(context, 1, vector));
    context.output(1, vector);
    context.output(2, vector);
    context.output(3, Shape.of(0));
    context.output(4, Shape.of(0));
  }

  /**
   * The shape of a vector of channels, as far as image input {@code image} and the vectors from
   * {@code first} on determine it.
   */
  private static Shape channels(InferenceContext context, int image, int first, int end) {
    String format = context.attributes().string("data_format");
    Shape vector =
        Shape.of(ChannelShapes.channels(format, context.withRank(image, format.length())));
    for (int i = first; i < end; i++) {
      Shape other = context.withRank(i, 1);
      if (!vector.isCompatibleWith(other)) {
        throw TributaryException.invalidArgument(
            "input %d must have one element for each of %d channels, got shape %s",
            i, vector.size(0), other);
      }
      vector = vector.merge(other);
    }
    return vector;
  }

  private static Shape withChannels(InferenceContext context, int image, Shape vector) {
    String format = context.attributes().string("data_format");
    Shape shape = context.withRank(image, format.length());
    return shape.withSize(ChannelShapes.dimension(format, shape.rank()), vector.size(0));
  }

  private static void imageShape(InferenceContext context) {
    Shape shape = context.withRank(0, 4);
    for (int i = 1; i < context.inputCount(); i++) {
      context.merged(0, i);
      shape = shape.merge(context.withRank(i, 4));
    }
    context.output(0, shape);
  }
}
