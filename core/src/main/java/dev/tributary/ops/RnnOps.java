package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Output;
import dev.tributary.internal.kernel.nn.GruKernels;
import dev.tributary.internal.kernel.nn.LstmKernels;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/** Recurrent cells in one op, as graphs from TensorFlow have them; no client adds them. */
final class RnnOps {
  private static final List<String> WEIGHTS =
      List.of("cs_prev", "h_prev", "w", "wci", "wcf", "wco", "b");
  private static final List<String> STEP = List.of("i", "cs", "f", "o", "ci", "co", "h");

  private RnnOps() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        outputs(inputs(op("LSTMBlockCell").input("x: T"), WEIGHTS), STEP)
            .attr("forget_bias: float = 1")
            .attr("cell_clip: float = 3")
            .attr("use_peephole: bool = false")
            .attr("T: {half, float}")
            .flag(OpFlag.EXPENSIVE)
            .shape(c -> all(c, Shape.of(c.withRank(0, 2).size(0), cell(c, 7)), 7))
            .kernel(LstmKernels::cell)
            .notDifferentiable(),
        outputs(
                inputs(
                    inputs(
                        inputs(op("LSTMBlockCellGrad").input("x: T"), WEIGHTS), STEP.subList(0, 6)),
                    List.of("cs_grad", "h_grad")),
                List.of("cs_prev_grad", "dicfo", "wci_grad", "wcf_grad", "wco_grad"))
            .attr("use_peephole: bool")
            .attr("T: {half, float}")
            .flag(OpFlag.EXPENSIVE)
            .shape(
                c -> {
                  long batch = c.withRank(0, 2).size(0);
                  long cell = cell(c, 7);
                  c.output(0, Shape.of(batch, cell));
                  c.output(1, Shape.of(batch, c.withRank(7, 1).size(0)));
                  for (int i = 2; i < 5; i++) {
                    c.output(i, Shape.of(cell));
                  }
                })
            .kernel(LstmKernels::cellGradient)
            .notDifferentiable(),
        sequence("BlockLSTM")
            .attr("forget_bias: float = 1")
            .attr("cell_clip: float = 3")
            .attr("use_peephole: bool = false")
            .attr("T: {half, float}")
            .kernel(node -> LstmKernels.sequence(node, false))
            .gradAll(gradient("BlockLSTMGrad")),
        sequence("BlockLSTMV2")
            .attr("cell_clip: float = 0")
            .attr("use_peephole: bool = false")
            .attr("T: {half, float}")
            .kernel(node -> LstmKernels.sequence(node, true))
            .gradAll(gradient("BlockLSTMGradV2")),
        sequenceGradient("BlockLSTMGrad", false),
        sequenceGradient("BlockLSTMGradV2", true),
        outputs(
                inputs(op("GRUBlockCell"), List.of("x", "h_prev", "w_ru", "w_c", "b_ru", "b_c")),
                List.of("r", "u", "c", "h"))
            .attr("T: {float}")
            .flag(OpFlag.EXPENSIVE)
            .shape(c -> all(c, state(c), 4))
            .kernel(node -> GruKernels::forward)
            .notDifferentiable(),
        outputs(
                inputs(
                    op("GRUBlockCellGrad"),
                    List.of("x", "h_prev", "w_ru", "w_c", "b_ru", "b_c", "r", "u", "c", "d_h")),
                List.of("d_x", "d_h_prev", "d_c_bar", "d_r_bar_u_bar"))
            .attr("T: {float}")
            .flag(OpFlag.EXPENSIVE)
            .shape(
                c -> {
                  Shape state = state(c);
                  c.output(0, c.withRank(0, 2));
                  c.output(1, state);
                  c.output(2, state);
                  c.output(3, Shape.of(state.size(0), c.withRank(4, 1).size(0)));
                })
            .kernel(node -> GruKernels::gradient)
            .notDifferentiable());
  }

  private static Declaration sequence(String name) {
    return outputs(inputs(op(name).input("seq_len_max: int64").input("x: T"), WEIGHTS), STEP)
        .flag(OpFlag.EXPENSIVE)
        .shape(
            c -> {
              Shape x = c.withRank(1, 3);
              all(c, Shape.of(x.size(0), x.size(1), cell(c, 8)), 7);
            });
  }

  private static OpDeclaration sequenceGradient(String name, boolean forgetFirst) {
    List<String> outputs = new ArrayList<>(List.of("x_grad"));
    WEIGHTS.forEach(input -> outputs.add(input + "_grad"));
    return outputs(
            inputs(
                inputs(inputs(op(name).input("seq_len_max: int64").input("x: T"), WEIGHTS), STEP),
                List.of("cs_grad", "h_grad")),
            outputs)
        .attr("use_peephole: bool")
        .attr("T: {half, float}")
        .flag(OpFlag.EXPENSIVE)
        .shape(
            c -> {
              c.output(0, c.withRank(1, 3));
              for (int i = 1; i < 8; i++) {
                c.output(i, c.input(i + 1));
              }
            })
        .kernel(node -> LstmKernels.sequenceGradient(node, forgetFirst))
        .notDifferentiable();
  }

  /** Only the gradients of states and outputs count, as in TensorFlow. */
  private static Declaration.GradientOfAll gradient(String name) {
    return (tf, op, dy) -> {
      List<Output> inputs = new ArrayList<>(op.inputs());
      inputs.addAll(op.outputs());
      inputs.add(dy.get(1));
      inputs.add(dy.get(6));
      List<GradientValue> gradients = new ArrayList<>(List.of(GradientValue.none()));
      gradients.addAll(SameAttributes.operation(tf, op, name, inputs).outputs());
      return gradients;
    };
  }

  private static Declaration inputs(Declaration declaration, List<String> names) {
    names.forEach(name -> declaration.input(name + ": T"));
    return declaration;
  }

  private static Declaration outputs(Declaration declaration, List<String> names) {
    names.forEach(name -> declaration.output(name + ": T"));
    return declaration;
  }

  private static void all(InferenceContext context, Shape shape, int outputs) {
    for (int i = 0; i < outputs; i++) {
      context.output(i, shape);
    }
  }

  /** The number of cells, of which the bias has four elements each. */
  private static long cell(InferenceContext context, int bias) {
    long elements = context.withRank(bias, 1).size(0);
    return elements == Shape.UNKNOWN ? Shape.UNKNOWN : elements / 4;
  }

  private static Shape state(InferenceContext context) {
    return Shape.of(context.withRank(0, 2).size(0), context.withRank(1, 2).size(1));
  }
}
