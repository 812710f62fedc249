package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.array.Rolling;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Ops that move elements along an axis. */
abstract sealed class RollOps extends BlockOps permits LayoutOps {
  RollOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("Roll")
            .input("input: T")
            .input("shift: Tshift")
            .input("axis: Taxis")
            .output("output: T")
            .attr("T: type")
            .attr("Tshift: {int32, int64}")
            .attr("Taxis: {int32, int64}")
            .shape(
                c -> {
                  c.withRankAtLeast(0, 1);
                  ShapeRules.unchanged(c);
                })
            .kernel(node -> Rolling::roll)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        tf.array.roll(dy, tf.neg(op.input(1)), op.input(2)),
                        GradientValue.none(),
                        GradientValue.none())),
        op("ReverseSequence")
            .input("input: T")
            .input("seq_lengths: Tlen")
            .output("output: T")
            .attr("seq_dim: int")
            .attr("batch_dim: int = 0")
            .attr("T: type")
            .attr("Tlen: {int32, int64} = int64")
            .shape(
                c -> {
                  Shape input = c.input(0);
                  c.withRank(1, 1);
                  if (input.hasRank()) {
                    Rolling.requireAxes(
                        c.attributes().integer("seq_dim"),
                        c.attributes().integer("batch_dim"),
                        input);
                  }
                  c.output(0, input);
                })
            .kernel(Rolling::reverseSequence)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        tf.array.reverseSequence(
                            dy,
                            op.input(1),
                            op.attributes().integer("seq_dim"),
                            op.attributes().integer("batch_dim")),
                        GradientValue.none())));
  }

  /** The tensor shifted along some axes; elements that leave at one end come in at the other. */
  public Output roll(Operand input, Operand shift, Operand axis) {
    return scope.operation("Roll").input(input).input(shift).input(axis).buildOutput();
  }

  /**
   * The tensor with the first {@code lengths[i]} elements along an axis backwards, for each batch i
   * along another.
   */
  public Output reverseSequence(Operand input, Operand lengths, long sequenceAxis, long batchAxis) {
    return scope
        .operation("ReverseSequence")
        .input(input)
        .input(lengths)
        .attr("seq_dim", sequenceAxis)
        .attr("batch_dim", batchAxis)
        .buildOutput();
  }
}
