package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.nn.CtcDecoders;
import dev.tributary.internal.kernel.nn.CtcLoss;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.tensor.Shape;
import java.util.List;

/**
 * Connectionist temporal classification: labels for sequences of scores [time, batch, classes], of
 * which the last class is a blank between labels.
 */
abstract sealed class CtcOps extends NormOps permits OrderOps {
  private static final String NO_SECOND =
      "Currently there is no way to take the second derivative of ctc_loss.";

  CtcOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("CTCLoss")
            .input("inputs: T")
            .input("labels_indices: int64")
            .input("labels_values: int32")
            .input("sequence_length: int32")
            .output("loss: T")
            .output("gradient: T")
            .attr("preprocess_collapse_repeated: bool = false")
            .attr("ctc_merge_repeated: bool = true")
            .attr("ignore_longer_outputs_than_inputs: bool = false")
            .attr("T: {float, double} = float")
            .flag(OpFlag.EXPENSIVE)
            .shape(
                c -> {
                  c.withRank(1, 2);
                  c.withRank(2, 1);
                  c.output(0, Shape.of(batch(c, 3)));
                  c.output(1, c.withRank(0, 3).withSize(1, batch(c, 3)));
                })
            .kernel(CtcLoss::new)
            .gradRule(
                (scope, op, dy) -> {
                  Ops tf = new Ops(scope);
                  Output ofLoss = tf.expandDims((Output) dy.get(0), -1);
                  return List.of(
                      tf.mul(ofLoss, tf.array.preventGradient(op.output(1), NO_SECOND)),
                      GradientValue.none(),
                      GradientValue.none(),
                      GradientValue.none());
                }),
        op("CTCGreedyDecoder")
            .input("inputs: T")
            .input("sequence_length: int32")
            .output("decoded_indices: int64")
            .output("decoded_values: int64")
            .output("decoded_shape: int64")
            .output("log_probability: T")
            .attr("merge_repeated: bool = false")
            .attr("blank_index: int = -1")
            .attr("T: {float, double} = float")
            .shape(c -> decoded(c, 1))
            .kernel(CtcDecoders::greedy)
            .notDifferentiable(),
        op("CTCBeamSearchDecoder")
            .input("inputs: T")
            .input("sequence_length: int32")
            .output("decoded_indices: top_paths * int64")
            .output("decoded_values: top_paths * int64")
            .output("decoded_shape: top_paths * int64")
            .output("log_probability: T")
            .attr("beam_width: int >= 1")
            .attr("top_paths: int >= 1")
            .attr("merge_repeated: bool = true")
            .attr("T: {float, double} = float")
            .flag(OpFlag.EXPENSIVE)
            .shape(c -> decoded(c, c.attributes().int32("top_paths")))
            .kernel(CtcDecoders::beamSearch)
            .notDifferentiable());
  }

  /** The size of the batch, from the scores and from input {@code lengths}. */
  private static long batch(InferenceContext context, int lengths) {
    Shape scores = context.withRank(0, 3);
    return context.withRank(lengths, 1).merge(Shape.of(scores.size(1))).size(0);
  }

  private static void decoded(InferenceContext context, int paths) {
    for (int p = 0; p < paths; p++) {
      context.output(p, Shape.of(Shape.UNKNOWN, 2));
      context.output(paths + p, Shape.of(Shape.UNKNOWN));
      context.output(2 * paths + p, Shape.of(2));
    }
    context.output(3 * paths, Shape.of(batch(context, 1), paths));
  }

  /**
   * Minus the logarithm of the probability of labels, one for each sequence.
   *
   * @param labels [batch, longest], of type int32
   */
  public Output ctcLoss(Operand inputs, SparseTensor labels, Operand sequenceLength) {
    return scope
        .operation("CTCLoss")
        .input(inputs)
        .input(labels.indices())
        .input(labels.values())
        .input(sequenceLength)
        .build()
        .output(0);
  }

  /** The best class of each step, without blanks and repetitions. */
  public NnOps.CtcDecoded ctcGreedyDecoder(Operand inputs, Operand sequenceLength) {
    Operation decoder =
        scope
            .operation("CTCGreedyDecoder")
            .input(inputs)
            .input(sequenceLength)
            .attr("merge_repeated", true)
            .build();
    return decoded(decoder);
  }

  /** The most probable labels, found by a search that keeps {@code beamWidth} candidates. */
  public NnOps.CtcDecoded ctcBeamSearchDecoder(
      Operand inputs, Operand sequenceLength, int beamWidth) {
    Operation decoder =
        scope
            .operation("CTCBeamSearchDecoder")
            .input(inputs)
            .input(sequenceLength)
            .attr("beam_width", beamWidth)
            .attr("top_paths", 1)
            .attr("merge_repeated", false)
            .build();
    return decoded(decoder);
  }

  private static NnOps.CtcDecoded decoded(Operation decoder) {
    return new NnOps.CtcDecoded(SparseTensor.of(decoder), decoder.output(3));
  }
}
