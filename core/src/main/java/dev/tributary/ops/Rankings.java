package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.InferenceContext;
import dev.tributary.graph.KnownValue;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.kernel.nn.InTopKKernel;
import dev.tributary.kernel.nn.TopKKernel;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;

/**
 * The declarations of ops that look for the largest elements; the client methods are in {@link
 * NnOps}.
 */
final class Rankings {
  private Rankings() {}

  static List<OpDeclaration> declarations() {
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
            .kernel(TopKKernel::ofAttribute)
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
            .kernel(TopKKernel::ofInput)
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
            .shape(Rankings::inTopKShape)
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
            .shape(Rankings::inTopKShape)
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
  private static Output topKGradient(Ops tf, Operation op, Output dy) {
    Output input = op.input(0);
    Output indices = tf.reshape(tf.cast(op.output(1), DataType.INT32), -1);
    Output one = tf.constant(1);
    Output picks = tf.range(tf.constant(0), tf.size(indices), one);
    Output lastDimension = tf.sub(tf.array.rank(input), one);
    Output rows = tf.math.floorDiv(picks, tf.gather(tf.shape(dy), lastDimension));
    Output columns = tf.gather(tf.shape(input), lastDimension);
    Output places = tf.add(indices, tf.mul(rows, columns));
    Output flat =
        tf.index.scatterNd(
            tf.reshape(places, -1, 1), tf.reshape(dy, -1), tf.reshape(tf.size(input), 1));
    return tf.reshape(flat, tf.shape(input));
  }
}
