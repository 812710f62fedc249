package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.math.HalvesInFloat;
import dev.tributary.internal.kernel.nn.OrderKernels;
import dev.tributary.internal.kernel.nn.TopKKernel;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Ops that order the elements of rows, which are along the last dimension. */
abstract sealed class OrderOps extends CtcOps permits MorphologyOps {
  OrderOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("NthElement")
            .input("input: T")
            .input("n: int32")
            .output("values: T")
            .attr("reverse: bool = false")
            .attr(TypeSpecs.ORDERED)
            .shape(
                c -> {
                  c.withRank(1, 0);
                  Shape input = c.withRankAtLeast(0, 1);
                  if (input.hasRank()) {
                    c.output(0, input.slice(0, input.rank() - 1));
                  }
                })
            .kernel(OrderKernels::nth)
            .grad((tf, op, dy) -> List.of(gradientOfNth(tf, op, dy), GradientValue.none())),
        op("IsotonicRegression")
            .input("input: T")
            .output("output: output_dtype")
            .output("segments: int32")
            .attr(TypeSpecs.ORDERED)
            .attr("output_dtype: {half, bfloat16, float, double} = float")
            .shape(
                c -> {
                  Shape input = c.withRankAtLeast(0, 1);
                  c.output(0, input);
                  c.output(1, input);
                })
            .kernel(OrderKernels::isotonic)
            .notDifferentiable(),
        op("ApproxTopK")
            .input("input: T")
            .output("values: T")
            .output("indices: int32")
            .attr("k: int >= 0")
            .attr("reduction_dimension: int = -1")
            .attr("recall_target: float = 0.95")
            .attr("is_max_k: bool = true")
            .attr("reduction_input_size_override: int = -1")
            .attr("aggregate_to_topk: bool = true")
            .attr("T: {half, bfloat16, float}")
            .shape(OrderOps::topShape)
            .kernel(HalvesInFloat.of(OrderOps::top))
            .gradRule(
                (scope, op, dy) ->
                    List.of(NnOps.topKGradient(new Ops(scope), op, (Output) dy.get(0)))));
  }

  /** Elements that are equal share the gradient. */
  private static Output gradientOfNth(Ops tf, Operation op, Output dy) {
    Output input = op.input(0);
    Output chosen = tf.cast(tf.equal(tf.expandDims(op.output(0), -1), input), input.type());
    Output count = tf.sum(chosen, true, -1);
    return tf.mul(tf.div(chosen, count), tf.expandDims(dy, -1));
  }

  private static void topShape(InferenceContext context) {
    Shape input = context.withRankAtLeast(0, 1);
    boolean last = context.attributes().integer("reduction_dimension") == -1;
    if (input.hasRank() && last && context.attributes().bool("aggregate_to_topk")) {
      Shape shape = TopKKernel.shape(input, context.attributes().integer("k"));
      context.output(0, shape);
      context.output(1, shape);
    }
  }

  /** As in TensorFlow on CPUs, the result is exact. */
  private static Kernel top(KernelNode node) {
    if (node.attributes().integer("reduction_dimension") != -1
        || !node.attributes().bool("is_max_k")
        || !node.attributes().bool("aggregate_to_topk")) {
      throw TributaryException.unimplemented(
          "ApproxTopK is supported for the greatest elements of the last dimension (-1),"
              + " aggregated to k, only");
    }
    return TopKKernel.ofAttribute(node);
  }

  /** The element of each row that has {@code n} elements before it in ascending order. */
  public Output nthElement(Operand input, Operand n) {
    return scope.operation("NthElement").input(input).input(n).buildOutput();
  }

  /**
   * The closest rows that never rise (0), and for each element the number of its run of equal
   * elements (1).
   */
  public List<Output> isotonicRegression(Operand input) {
    return scope
        .operation("IsotonicRegression")
        .input(input)
        .attr("output_dtype", input.asOutput().type())
        .build()
        .outputs();
  }
}
