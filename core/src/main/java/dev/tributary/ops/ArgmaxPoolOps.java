package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.math.HalvesInFloat;
import dev.tributary.internal.kernel.nn.ArgmaxPoolKernels;
import dev.tributary.internal.kernel.nn.PoolSpec;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Pooling that remembers where the largest elements were. */
abstract sealed class ArgmaxPoolOps extends Conv3dOps permits PoolOps {
  ArgmaxPoolOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("MaxPoolWithArgmax")
            .input("input: T")
            .output("output: T")
            .output("argmax: Targmax")
            .attr("ksize: list(int) >= 4")
            .attr("strides: list(int) >= 4")
            .attr("Targmax: {int32, int64} = int64")
            .attr("padding: {'SAME', 'VALID'}")
            .attr("include_batch_in_index: bool = false")
            .attr(TypeSpecs.ORDERED)
            .flag(OpFlag.EXPENSIVE)
            .shape(
                c -> {
                  Shape pooled = PoolSpec.of(c.attributes()).output(c.withRank(0, 4));
                  c.output(0, pooled);
                  c.output(1, pooled);
                })
            .kernel(HalvesInFloat.of(ArgmaxPoolKernels::pool))
            .gradRule(
                (scope, op, dy) ->
                    List.of(
                        SameAttributes.output(
                            new Ops(scope),
                            op,
                            "MaxPoolGradWithArgmax",
                            op.input(0),
                            (Output) dy.get(0),
                            op.output(1)))),
        op("MaxPoolGradWithArgmax")
            .input("input: T")
            .input("grad: T")
            .input("argmax: Targmax")
            .output("output: T")
            .attr("ksize: list(int) >= 4")
            .attr("strides: list(int) >= 4")
            .attr("padding: {'SAME', 'VALID'}")
            .attr("include_batch_in_index: bool = false")
            .attr("Targmax: {int32, int64}")
            .attr(TypeSpecs.ORDERED)
            .flag(OpFlag.EXPENSIVE)
            .shape(c -> c.output(0, c.withRank(0, 4)))
            .kernel(HalvesInFloat.of(ArgmaxPoolKernels::gradient))
            .notDifferentiable());
  }

  /** The largest element of each window (0), and its place among the elements of its image (1). */
  public List<Output> maxPoolWithArgmax(Operand input, int size, int stride, Padding padding) {
    Operation pool =
        scope
            .operation("MaxPoolWithArgmax")
            .input(input)
            .attr("ksize", new long[] {1, size, size, 1})
            .attr("strides", new long[] {1, stride, stride, 1})
            .attr("padding", padding.name())
            .build();
    return pool.outputs();
  }
}
