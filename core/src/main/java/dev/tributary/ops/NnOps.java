package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.math.HalvesInFloat;
import dev.tributary.internal.kernel.nn.BiasKernels;
import dev.tributary.internal.kernel.nn.ChannelShapes;
import dev.tributary.internal.kernel.nn.ElementTypes;
import dev.tributary.internal.kernel.nn.InTopKKernel;
import dev.tributary.internal.kernel.nn.L2LossKernel;
import dev.tributary.internal.kernel.nn.SoftmaxKernels;
import dev.tributary.internal.kernel.nn.TopKKernel;
import dev.tributary.internal.op.FusionRole;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.KnownValue;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/** Activations, softmax, losses and rankings of neural networks. */
public final class NnOps extends ActivationOps {
  private static final String FORMAT = "data_format: {'NHWC', 'NCHW'} = 'NHWC'";

  /** Labels that were decoded, [batch, longest], and the score of each sequence. */
  public record CtcDecoded(SparseTensor labels, Output score) {}

  /**
   * The result of batch normalisation in training: the normalised values, and the running mean and
   * variance to keep.
   */
  public record BatchNorm(Output y, Output mean, Output variance) {}

  NnOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>(biases());
    all.addAll(losses());
    all.addAll(rankings());
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
            .kernel(HalvesInFloat.of(BiasKernels::gradient))
            .grad(
                (tf, op, dy) ->
                    List.of(
                        tf.nn.biasAdd(
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
            .kernel(HalvesInFloat.of(ElementTypes.real(SoftmaxKernels::softmax)))
            .grad(NnGradients::softmax),
        op("LogSoftmax")
            .input("logits: T")
            .output("logsoftmax: T")
            .attr(REAL)
            .shape(NnOps::rowsShape)
            .flag(OpFlag.EXPENSIVE)
            .kernel(HalvesInFloat.of(ElementTypes.real(SoftmaxKernels::logSoftmax)))
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
            .kernel(HalvesInFloat.of(ElementTypes.real(SoftmaxKernels::crossEntropy)))
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
            .kernel(HalvesInFloat.of(ElementTypes.real(SoftmaxKernels::sparseCrossEntropy)))
            .gradAll(NnGradients::sparseCrossEntropy),
        op("L2Loss")
            .input("t: T")
            .output("output: T")
            .attr(REAL)
            .shape(ShapeRules::scalar)
            .kernel(HalvesInFloat.of(L2LossKernel::new))
            .grad((tf, op, dy) -> List.of(tf.mul(op.input(0), dy))));
  }

  private static List<OpDeclaration> rankings() {
    return List.of(
        op("TopK")
            .input("input: T")
            .output("values: T")
            .output("indices: int32")
            .attr("k: int >= 0")
            .attr("sorted: bool = true")
            .attr(TypeSpecs.ORDERED)
            .deprecated(7, "Use TopKV2 instead")
            .shape(c -> topKShape(c, c.attributes().integer("k")))
            .kernel(HalvesInFloat.of(TopKKernel::ofAttribute))
            .gradRule(
                (scope, op, dy) -> List.of(topKGradient(new Ops(scope), op, (Output) dy.get(0)))),
        op("TopKV2")
            .input("input: T")
            .input("k: Tk")
            .output("values: T")
            .output("indices: index_type")
            .attr("sorted: bool = true")
            .attr(TypeSpecs.ORDERED)
            .attr("Tk: {int16, int32, int64} = int32")
            .attr("index_type: {int16, int32, int64} = int32")
            .shape(c -> topKShape(c, knownK(c)))
            .kernel(HalvesInFloat.of(TopKKernel::ofInput))
            .gradRule(
                (scope, op, dy) ->
                    List.of(
                        topKGradient(new Ops(scope), op, (Output) dy.get(0)),
                        GradientValue.none())),
        op("InTopK")
            .input("predictions: float")
            .input("targets: T")
            .output("precision: bool")
            .attr("k: int")
            .attr("T: {int32, int64} = int32")
            .shape(NnOps::inTopKShape)
            .kernel(
                node -> {
                  long k = node.attributes().integer("k");
                  return c -> InTopKKernel.compute(c, k);
                })
            .notDifferentiable(),
        op("InTopKV2")
            .input("predictions: float")
            .input("targets: T")
            .input("k: T")
            .output("precision: bool")
            .attr("T: {int32, int64} = int32")
            .shape(NnOps::inTopKShape)
            .kernel(node -> InTopKKernel::computeFed)
            .notDifferentiable());
  }

  private static void topKShape(InferenceContext context, long k) {
    Shape shape = TopKKernel.shape(context.withRankAtLeast(0, 1), k);
    context.output(0, shape);
    context.output(1, shape);
  }

  private static long knownK(InferenceContext context) {
    context.withRank(1, 0);
    long k =
        context
            .known(1)
            .filter(KnownValue::isComplete)
            .map(v -> v.elements()[0])
            .orElse(Shape.UNKNOWN);
    if (k < Shape.UNKNOWN) {
      throw TributaryException.invalidArgument("Need k >= 0, got %d", k);
    }
    return k;
  }

  private static void inTopKShape(InferenceContext context) {
    Shape predictions = context.withRank(0, 2);
    Shape targets = context.withRank(1, 1);
    if (!targets.isCompatibleWith(predictions.slice(0, 1))) {
      throw TributaryException.invalidArgument(
          "predictions and targets must have the same first dimension, got shapes %s and %s",
          predictions, targets);
    }
    context.output(0, targets.merge(predictions.slice(0, 1)));
  }

  /**
   * Each picked value's gradient goes back to where it was picked, by its place in the flat input.
   */
  static Output topKGradient(Ops tf, Operation op, Output dy) {
    Output input = op.input(0);
    Output indices = tf.reshape(tf.cast(op.output(1), DataType.INT32), -1);
    Output one = tf.constant(1);
    Output picks = tf.range(tf.constant(0), tf.size(indices), one);
    Output lastDimension = tf.sub(tf.array.rank(input), one);
    Output rows = tf.math.floorDiv(picks, tf.gather(tf.shape(dy), lastDimension));
    Output columns = tf.gather(tf.shape(input), lastDimension);
    Output places = tf.add(indices, tf.mul(rows, columns));
    Output flat =
        tf.array.scatterNd(
            tf.reshape(places, -1, 1), tf.reshape(dy, -1), tf.reshape(tf.size(input), 1));
    return tf.reshape(flat, tf.shape(input));
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
