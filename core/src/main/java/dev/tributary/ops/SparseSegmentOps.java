package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.math.SparseSegmentGradKernel;
import dev.tributary.internal.kernel.math.SparseSegmentKernel;
import dev.tributary.internal.kernel.math.SparseSegmentKernel.Divisor;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Rows of a table that indices pick, combined segment by segment: what embeddings are made of. */
abstract sealed class SparseSegmentOps permits SparseJoinOps {
  final Scope scope;

  SparseSegmentOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        withNumSegments("SparseSegmentSumWithNumSegments", TypeSpecs.ORDERED)
            .kernel(node -> SparseSegmentKernel.withNumSegments(node, Divisor.ONE))
            .grad((tf, op, dy) -> gradient("SparseSegmentSumGrad", tf, op, dy)),
        withNumSegments("SparseSegmentMeanWithNumSegments", TypeSpecs.REAL)
            .kernel(node -> SparseSegmentKernel.withNumSegments(node, Divisor.COUNT))
            .grad((tf, op, dy) -> gradient("SparseSegmentMeanGrad", tf, op, dy)),
        op("SparseSegmentSqrtN")
            .input("data: T")
            .input("indices: Tidx")
            .input("segment_ids: Tsegmentids")
            .output("output: T")
            .attr(TypeSpecs.REAL)
            .attr("Tidx: {int32, int64} = int32")
            .attr("Tsegmentids: {int32, int64} = int32")
            .attr("sparse_gradient: bool = false")
            .shape(c -> segments(c, Shape.UNKNOWN))
            .kernel(node -> SparseSegmentKernel.of(node, Divisor.ROOT_OF_COUNT))
            .grad((tf, op, dy) -> gradient("SparseSegmentSqrtNGrad", tf, op, dy)),
        withNumSegments("SparseSegmentSqrtNWithNumSegments", TypeSpecs.REAL)
            .kernel(node -> SparseSegmentKernel.withNumSegments(node, Divisor.ROOT_OF_COUNT))
            .grad((tf, op, dy) -> gradient("SparseSegmentSqrtNGrad", tf, op, dy)),
        op("SparseSegmentSqrtNGrad")
            .input("grad: T")
            .input("indices: Tidx")
            .input("segment_ids: Tsegmentids")
            .input("output_dim0: int32")
            .output("output: T")
            .attr(TypeSpecs.REAL)
            .attr("Tidx: {int32, int64} = int32")
            .attr("Tsegmentids: {int32, int64} = int32")
            .shape(c -> segments(c, CountingOps.bins(c, 3)))
            .kernel(SparseSegmentGradKernel::sqrtN)
            .notDifferentiable(),
        rowGradients("SparseSegmentSumGradV2", Divisor.ONE),
        rowGradients("SparseSegmentMeanGradV2", Divisor.COUNT),
        rowGradients("SparseSegmentSqrtNGradV2", Divisor.ROOT_OF_COUNT));
  }

  private static OpDeclaration rowGradients(String name, Divisor divisor) {
    return op(name)
        .input("grad: T")
        .input("indices: Tidx")
        .input("segment_ids: Tsegmentids")
        .input("dense_output_dim0: int32")
        .output("output: T")
        .output("sorted_unique_indices: Tidx")
        .attr(TypeSpecs.REAL)
        .attr("Tidx: {int32, int64} = int32")
        .attr("Tsegmentids: {int32, int64} = int32")
        .shape(
            c -> {
              c.withRank(3, 0);
              segments(c, Shape.UNKNOWN);
              c.output(1, Shape.ofRank(1));
            })
        .kernel(node -> new SparseSegmentGradKernel(node, divisor)::computeRows)
        .notDifferentiable();
  }

  private static Declaration withNumSegments(String name, String types) {
    return op(name)
        .input("data: T")
        .input("indices: Tidx")
        .input("segment_ids: Tsegmentids")
        .input("num_segments: Tnumsegments")
        .output("output: T")
        .attr(types)
        .attr("Tidx: {int32, int64} = int32")
        .attr("Tnumsegments: {int32, int64} = int32")
        .attr("Tsegmentids: {int32, int64} = int32")
        .attr("sparse_gradient: bool = false")
        .shape(
            c -> {
              c.withRank(3, 0);
              segments(c, CountingOps.bins(c, 3));
            });
  }

  /** The output has this many rows, which are as those of the data. */
  private static void segments(InferenceContext context, long count) {
    Shape data = context.withRankAtLeast(0, 1);
    context.withRank(1, 1);
    context.withRank(2, 1);
    if (data.hasRank()) {
      context.output(0, data.withSize(0, count));
    }
  }

  private static List<GradientValue> gradient(String gradientOp, Ops tf, Operation op, Output dy) {
    Output data =
        tf.scope()
            .operation(gradientOp)
            .input(dy)
            .input(op.input(1))
            .input(op.input(2))
            .input(tf.array.at(tf.shape(op.input(0)), 0))
            .buildOutput();
    List<GradientValue> gradients =
        new ArrayList<>(Collections.nCopies(op.inputs().size(), GradientValue.none()));
    gradients.set(0, data);
    return gradients;
  }

  /**
   * The sum of the rows that {@code indices} pick for each of {@code segments} segments, where ids
   * are in ascending order; zeros for a segment without rows.
   */
  public Output segmentSum(Operand data, Operand indices, Operand ids, Operand segments) {
    return combined("SparseSegmentSumWithNumSegments", data, indices, ids, segments);
  }

  /** The mean of the rows that {@code indices} pick for each of {@code segments} segments. */
  public Output segmentMean(Operand data, Operand indices, Operand ids, Operand segments) {
    return combined("SparseSegmentMeanWithNumSegments", data, indices, ids, segments);
  }

  /**
   * The sum of the rows that {@code indices} pick for each of {@code segments} segments, divided by
   * the square root of their number.
   */
  public Output segmentSqrtN(Operand data, Operand indices, Operand ids, Operand segments) {
    return combined("SparseSegmentSqrtNWithNumSegments", data, indices, ids, segments);
  }

  private Output combined(String op, Operand data, Operand indices, Operand ids, Operand segments) {
    return scope.operation(op).input(data).input(indices).input(ids).input(segments).buildOutput();
  }
}
