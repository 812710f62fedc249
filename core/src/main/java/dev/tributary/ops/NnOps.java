package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.FusionRole;
import dev.tributary.graph.InferenceContext;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.OpFlag;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.graph.ShapeRules;
import dev.tributary.kernel.nn.BiasKernels;
import dev.tributary.kernel.nn.ChannelShapes;
import dev.tributary.kernel.nn.ElementTypes;
import dev.tributary.kernel.nn.L2LossKernel;
import dev.tributary.kernel.nn.SoftmaxKernels;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/** Activations, softmax, losses and rankings of neural networks. */
public final class NnOps {
  private static final String REAL = "T: {half, bfloat16, float, double}";
  private static final String FORMAT = "data_format: {'NHWC', 'NCHW'} = 'NHWC'";

  private final Scope scope;

  NnOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>(Activations.declarations());
    all.addAll(biases());
    all.addAll(losses());
    all.addAll(Rankings.declarations());
    return all;
  }

  private static List<OpDeclaration> biases() {
    return List.of(
        op("BiasAdd")
            .input("value: T")
            .input("bias: T")
            .output("output: T")
            .attr(TypeSpecs.NUMBER)
            .attr(FORMAT)
            .shape(c -> biasShape(c, c.attributes().string("data_format")))
            .kernel(BiasKernels::add)
            .fusion(new FusionRole.Bias(false))
            .grad(
                (tf, op, dy) ->
                    List.of(dy, tf.nn.biasAddGrad(dy, op.attributes().string("data_format")))),
        op("BiasAddV1")
            .input("value: T")
            .input("bias: T")
            .output("output: T")
            .attr(TypeSpecs.NUMBER)
            .shape(c -> biasShape(c, "NHWC"))
            .kernel(BiasKernels::add)
            .fusion(new FusionRole.Bias(false))
            .grad((tf, op, dy) -> List.of(dy, tf.nn.biasAddGrad(dy, "NHWC"))),
        op("BiasAddGrad")
            .input("out_backprop: T")
            .output("output: T")
            .attr(TypeSpecs.NUMBER)
            .attr(FORMAT)
            .shape(
                c ->
                    c.output(
                        0,
                        Shape.of(
                            ChannelShapes.channels(
                                c.attributes().string("data_format"), c.input(0)))))
            .flag(OpFlag.SUMS_CHANNELS)
            .kernel(BiasKernels::gradient)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        tf.biasAdd(
                            tf.zerosLike(op.input(0)),
                            dy,
                            op.attributes().string("data_format")))));
  }

  private static List<OpDeclaration> losses() {
    return List.of(
        op("Softmax")
            .input("logits: T")
            .output("softmax: T")
            .attr(REAL)
            .shape(NnOps::rowsShape)
            .flag(OpFlag.EXPENSIVE)
            .kernel(ElementTypes.real(SoftmaxKernels::softmax))
            .grad(NnGradients::softmax),
        op("LogSoftmax")
            .input("logits: T")
            .output("logsoftmax: T")
            .attr(REAL)
            .shape(NnOps::rowsShape)
            .flag(OpFlag.EXPENSIVE)
            .kernel(ElementTypes.real(SoftmaxKernels::logSoftmax))
            .grad(NnGradients::logSoftmax),
        op("SoftmaxCrossEntropyWithLogits")
            .input("features: T")
            .input("labels: T")
            .output("loss: T")
            .output("backprop: T")
            .attr(REAL)
            .shape(
                c -> {
                  Shape both = SoftmaxKernels.crossEntropyShape(c.input(0), c.input(1));
                  c.output(0, both.slice(0, 1));
                  c.output(1, both);
                })
            .flag(OpFlag.EXPENSIVE)
            .kernel(ElementTypes.real(SoftmaxKernels::crossEntropy))
            .gradAll(NnGradients::crossEntropy),
        op("SparseSoftmaxCrossEntropyWithLogits")
            .input("features: T")
            .input("labels: Tlabels")
            .output("loss: T")
            .output("backprop: T")
            .attr(REAL)
            .attr("Tlabels: {int32, int64} = int64")
            .shape(NnOps::sparseCrossEntropyShape)
            .flag(OpFlag.EXPENSIVE)
            .kernel(ElementTypes.real(SoftmaxKernels::sparseCrossEntropy))
            .gradAll(NnGradients::sparseCrossEntropy),
        op("L2Loss")
            .input("t: T")
            .output("output: T")
            .attr(REAL)
            .shape(ShapeRules::scalar)
            .kernel(L2LossKernel::new)
            .grad((tf, op, dy) -> List.of(tf.mul(op.input(0), dy))));
  }

  // ---- activations ----

  Output relu(Operand features) {
    return scope.operation("Relu").input(features).buildOutput();
  }

  Output reluGrad(Operand gradients, Operand features) {
    return scope.operation("ReluGrad").input(gradients).input(features).buildOutput();
  }

  /** The positive part, at most 6. */
  public Output relu6(Operand features) {
    return scope.operation("Relu6").input(features).buildOutput();
  }

  Output relu6Grad(Operand gradients, Operand features) {
    return scope.operation("Relu6Grad").input(gradients).input(features).buildOutput();
  }

  /** The features, multiplied by {@code alpha} where they are negative. */
  public Output leakyRelu(Operand features, float alpha) {
    return scope.operation("LeakyRelu").input(features).attr("alpha", alpha).buildOutput();
  }

  Output leakyReluGrad(Operand gradients, Operand features, float alpha) {
    return scope
        .operation("LeakyReluGrad")
        .input(gradients)
        .input(features)
        .attr("alpha", alpha)
        .buildOutput();
  }

  /** The features, or {@code exp(x) - 1} where they are negative. */
  public Output elu(Operand features) {
    return scope.operation("Elu").input(features).buildOutput();
  }

  Output eluGrad(Operand gradients, Operand outputs) {
    return scope.operation("EluGrad").input(gradients).input(outputs).buildOutput();
  }

  /** The scaled exponential unit, which keeps mean 0 and variance 1 through layers. */
  public Output selu(Operand features) {
    return scope.operation("Selu").input(features).buildOutput();
  }

  Output seluGrad(Operand gradients, Operand outputs) {
    return scope.operation("SeluGrad").input(gradients).input(outputs).buildOutput();
  }

  /** {@code log(1 + exp(x))}. */
  public Output softplus(Operand features) {
    return scope.operation("Softplus").input(features).buildOutput();
  }

  Output softplusGrad(Operand gradients, Operand features) {
    return scope.operation("SoftplusGrad").input(gradients).input(features).buildOutput();
  }

  /** {@code x / (1 + |x|)}. */
  public Output softsign(Operand features) {
    return scope.operation("Softsign").input(features).buildOutput();
  }

  Output softsignGrad(Operand gradients, Operand features) {
    return scope.operation("SoftsignGrad").input(gradients).input(features).buildOutput();
  }

  // ---- biases ----

  Output biasAdd(Operand value, Operand bias) {
    return biasAdd(value, bias, "NHWC");
  }

  Output biasAdd(Operand value, Operand bias, String dataFormat) {
    return scope
        .operation("BiasAdd")
        .input(value)
        .input(bias)
        .attr("data_format", dataFormat)
        .buildOutput();
  }

  Output biasAddV1(Operand value, Operand bias) {
    return scope.operation("BiasAddV1").input(value).input(bias).buildOutput();
  }

  /** The sum over all dimensions but the channels. */
  Output biasAddGrad(Operand outBackprop, String dataFormat) {
    return scope
        .operation("BiasAddGrad")
        .input(outBackprop)
        .attr("data_format", dataFormat)
        .buildOutput();
  }

  // ---- losses ----

  Output softmax(Operand logits) {
    return scope.operation("Softmax").input(logits).buildOutput();
  }

  public Output logSoftmax(Operand logits) {
    return scope.operation("LogSoftmax").input(logits).buildOutput();
  }

  /** The loss of each row of logits, where a row of labels has a probability for each class. */
  public Output softmaxCrossEntropyWithLogits(Operand labels, Operand logits) {
    return scope
        .operation("SoftmaxCrossEntropyWithLogits")
        .input(logits)
        .input(labels)
        .buildOutput();
  }

  /** The loss of each row of logits, where labels are int32 or int64 class numbers. */
  public Output sparseSoftmaxCrossEntropyWithLogits(Operand labels, Operand logits) {
    return scope
        .operation("SparseSoftmaxCrossEntropyWithLogits")
        .input(logits)
        .input(labels)
        .buildOutput();
  }

  /** Half the sum of squares of all elements. */
  public Output l2Loss(Operand t) {
    return scope.operation("L2Loss").input(t).buildOutput();
  }

  // ---- rankings ----

  /** The values and the places of the largest elements along the last dimension. */
  public record TopK(Output values, Output indices) {}

  /** The {@code k} largest elements of each row, the largest first. */
  public TopK topK(Operand input, int k) {
    return topK(input, new Ops(scope).constant(k), true);
  }

  public TopK topK(Operand input, Operand k, boolean sorted) {
    Operation operation =
        scope.operation("TopKV2").input(input).input(k).attr("sorted", sorted).build();
    return new TopK(operation.output(0), operation.output(1));
  }

  /**
   * Returns whether each target, a class number, is among the {@code k} best of its row of
   * predictions.
   */
  public Output inTopK(Operand predictions, Operand targets, int k) {
    return scope.operation("InTopK").input(predictions).input(targets).attr("k", k).buildOutput();
  }

  /** The same with a k of the targets' type that is known when the op runs. */
  public Output inTopKV2(Operand predictions, Operand targets, Operand k) {
    return scope.operation("InTopKV2").input(predictions).input(targets).input(k).buildOutput();
  }

  private static void biasShape(InferenceContext context, String format) {
    Shape value = context.withRankAtLeast(0, 2);
    long channels = ChannelShapes.channels(format, value);
    long bias = context.withRank(1, 1).size(0);
    if (channels != Shape.UNKNOWN && bias != Shape.UNKNOWN && channels != bias) {
      throw TributaryException.invalidArgument(
          "bias must have one element a channel, got %d for %d channels of value %s",
          bias, channels, value);
    }
    boolean told = value.hasRank() && channels == Shape.UNKNOWN;
    context.output(
        0, told ? value.withSize(ChannelShapes.dimension(format, value.rank()), bias) : value);
  }

  private static void rowsShape(InferenceContext context) {
    context.output(0, context.withRankAtLeast(0, 1));
  }

  private static void sparseCrossEntropyShape(InferenceContext context) {
    Shape logits = context.withRank(0, 2);
    Shape labels = context.withRank(1, 1);
    if (!labels.isCompatibleWith(logits.slice(0, 1))) {
      throw TributaryException.invalidArgument(
          "logits and labels must have the same first dimension, got logits shape %s and labels"
              + " shape %s",
          logits, labels);
    }
    Shape rows = labels.merge(logits.slice(0, 1));
    context.output(0, rows);
    context.output(1, rows.concatenate(logits.slice(1, 2)));
  }
}
