package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.gradient.Dense;
import dev.tributary.internal.kernel.ragged.RaggedVariants;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Ragged tensors in variants, as TensorFlow's {@code map_fn} has them; no client adds them. */
final class RaggedVariantOps {
  private RaggedVariantOps() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        op("RaggedTensorToVariant")
            .input("rt_nested_splits: RAGGED_RANK * Tsplits")
            .input("rt_dense_values: Tvalues")
            .output("encoded_ragged: variant")
            .attr("RAGGED_RANK: int >= 0")
            .attr("Tvalues: type")
            .attr("Tsplits: {int32, int64} = int64")
            .attr("batched_input: bool")
            .shape(RaggedVariantOps::encodedShape)
            .kernel(RaggedVariants::toVariant)
            .grad(RaggedVariantOps::toVariantGradient),
        op("RaggedTensorFromVariant")
            .input("encoded_ragged: variant")
            .output("output_nested_splits: output_ragged_rank * Tsplits")
            .output("output_dense_values: Tvalues")
            .attr("input_ragged_rank: int >= -1")
            .attr("output_ragged_rank: int >= 0")
            .attr("Tvalues: type")
            .attr("Tsplits: {int32, int64} = int64")
            .shape(
                c -> {
                  for (int i = 0; i < c.outputCount() - 1; i++) {
                    c.output(i, Shape.ofRank(1));
                  }
                })
            .kernel(RaggedVariants::fromVariant)
            .gradRule(RaggedVariantOps::fromVariantGradient),
        op("RaggedTensorToVariantGradient")
            .input("encoded_ragged_grad: variant")
            .input("row_splits: Tsplits")
            .input("dense_values_shape: int32")
            .output("dense_values_grad: Tvalues")
            .attr("Tvalues: type")
            .attr("Tsplits: {int32, int64} = int64")
            .shape(c -> c.output(0, c.knownShape(2)))
            .kernel(node -> RaggedVariants::toVariantGradient)
            .notDifferentiable());
  }

  private static void encodedShape(InferenceContext context) {
    int depth = context.inputCount() - 1;
    if (!context.attributes().bool("batched_input")) {
      context.output(0, Shape.scalar());
    } else if (depth > 0) {
      long splits = context.withRank(0, 1).size(0);
      context.output(0, Shape.of(splits == Shape.UNKNOWN ? splits : splits - 1));
    } else {
      Shape values = context.withRankAtLeast(0, 1);
      context.output(0, Shape.of(values.hasRank() ? values.size(0) : Shape.UNKNOWN));
    }
  }

  private static List<GradientValue> toVariantGradient(Ops tf, Operation op, Output dy) {
    int depth = op.inputs().size() - 1;
    Output values = op.input(depth);
    Output gradient =
        tf.scope()
            .operation("RaggedTensorToVariantGradient")
            .input(dy)
            .input(depth == 0 ? tf.constant(0L) : op.input(0))
            .input(tf.shape(values))
            .attr("Tvalues", AttrValue.of(values.type()))
            .buildOutput();
    List<GradientValue> gradients =
        new ArrayList<>(Collections.nCopies(depth, GradientValue.none()));
    gradients.add(gradient);
    return gradients;
  }

  /** Puts the gradient of the values in variants of the form that the values came in. */
  private static List<Output> fromVariantGradient(
      Scope scope, Operation op, List<? extends GradientValue> dy) {
    int depth = op.outputs().size() - 1;
    OperationBuilder builder = scope.operation("RaggedTensorToVariant");
    builder.inputList(op.outputs().subList(0, depth));
    return List.of(
        builder
            .input(Dense.of(scope, dy.get(depth)))
            .attr("RAGGED_RANK", depth)
            .attr("Tsplits", op.attributes().type("Tsplits"))
            .attr("batched_input", op.input(0).shape().rank() > 0)
            .buildOutput());
  }
}
