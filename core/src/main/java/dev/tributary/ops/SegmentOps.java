package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.InferenceContext;
import dev.tributary.graph.KnownValue;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.kernel.math.SegmentSumKernel;
import dev.tributary.kernel.math.SparseSegmentGradKernel;
import dev.tributary.kernel.math.UnsortedSegmentSumKernel;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Sums of rows that belong to one segment. */
public final class SegmentOps {
  private final Scope scope;

  SegmentOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("SegmentSum")
            .input("data: T")
            .input("segment_ids: Tindices")
            .output("output: T")
            .attr(TypeSpecs.NUMBER)
            .attr("Tindices: {int32, int64}")
            .shape(c -> sortedShape(c, 1))
            .kernel(SegmentSumKernel::dense)
            .grad((tf, op, dy) -> List.of(tf.gather(dy, op.input(1)), GradientValue.none())),
        sparse("SparseSegmentSum", TypeSpecs.ORDERED)
            .kernel(SegmentSumKernel::sparse)
            .grad((tf, op, dy) -> sparseGradient("SparseSegmentSumGrad", tf, op, dy)),
        sparse("SparseSegmentMean", TypeSpecs.REAL)
            .kernel(SegmentSumKernel::sparseMean)
            .grad((tf, op, dy) -> sparseGradient("SparseSegmentMeanGrad", tf, op, dy)),
        sparseGrad("SparseSegmentSumGrad", false),
        sparseGrad("SparseSegmentMeanGrad", true),
        op("UnsortedSegmentSum")
            .input("data: T")
            .input("segment_ids: Tindices")
            .input("num_segments: Tnumsegments")
            .output("output: T")
            .attr(TypeSpecs.NUMBER)
            .attr("Tindices: {int16, int32, int64}")
            .attr("Tnumsegments: {int32, int64} = int32")
            .shape(SegmentOps::unsortedShape)
            .kernel(UnsortedSegmentSumKernel::new)
            .grad(SegmentOps::unsortedGradient));
  }

  private static Declaration sparse(String name, String types) {
    return op(name)
        .input("data: T")
        .input("indices: Tidx")
        .input("segment_ids: Tsegmentids")
        .output("output: T")
        .attr(types)
        .attr("Tidx: {int32, int64} = int32")
        .attr("Tsegmentids: {int32, int64} = int32")
        .attr("sparse_gradient: bool = false")
        .shape(c -> sortedShape(c, 2));
  }

  private static OpDeclaration sparseGrad(String name, boolean averaged) {
    return op(name)
        .input("grad: T")
        .input("indices: Tidx")
        .input("segment_ids: Tsegmentids")
        .input("output_dim0: int32")
        .output("output: T")
        .attr(TypeSpecs.REAL)
        .attr("Tidx: {int32, int64} = int32")
        .attr("Tsegmentids: {int32, int64} = int32")
        .shape(SegmentOps::sparseGradShape)
        .kernel(node -> new SparseSegmentGradKernel(node, averaged))
        .notDifferentiable();
  }

  /** How many segments there are is known only when the ids are. */
  private static void sortedShape(InferenceContext context, int idsInput) {
    Shape data = context.withRankAtLeast(0, 1);
    for (int i = 1; i <= idsInput; i++) {
      context.withRank(i, 1);
    }
    if (data.hasRank()) {
      context.output(0, data.withSize(0, Shape.UNKNOWN));
    }
  }

  private static void sparseGradShape(InferenceContext context) {
    Shape gradient = context.withRankAtLeast(0, 1);
    context.withRank(1, 1);
    context.withRank(2, 1);
    context.withRank(3, 0);
    if (gradient.hasRank()) {
      context.output(0, gradient.withSize(0, size(context, 3)));
    }
  }

  private static long size(InferenceContext context, int input) {
    long size = context.known(input).map(known -> known.elements()[0]).orElse(KnownValue.UNKNOWN);
    return size == KnownValue.UNKNOWN ? Shape.UNKNOWN : size;
  }

  private static List<GradientValue> sparseGradient(
      String gradientOp, Ops tf, Operation op, Output dy) {
    Output rows = tf.slice.at(tf.shape(op.input(0)), 0);
    Output gradient =
        tf.scope()
            .operation(gradientOp)
            .input(dy)
            .input(op.input(1))
            .input(op.input(2))
            .input(rows)
            .buildOutput();
    return List.of(gradient, GradientValue.none(), GradientValue.none());
  }

  private static void unsortedShape(InferenceContext context) {
    Shape data = context.input(0);
    Shape ids = context.input(1);
    context.withRank(2, 0);
    if (!data.hasRank() || !ids.hasRank()) {
      return;
    }
    if (data.rank() < ids.rank() || !data.slice(0, ids.rank()).isCompatibleWith(ids)) {
      throw TributaryException.invalidArgument(
          "segment_ids of shape %s are no prefix of data of shape %s", ids, data);
    }
    context.output(0, Shape.of(size(context, 2)).concatenate(data.slice(ids.rank(), data.rank())));
  }

  /** Rows with negative ids went nowhere, and get zero. */
  private static List<GradientValue> unsortedGradient(Ops tf, Operation op, Output dy) {
    Output ids = op.input(1);
    Output zero = tf.constant(ids.type(), 0);
    Output rows = tf.gather(dy, tf.maximum(ids, zero));
    Output counted = tf.greaterEqual(ids, zero);
    Output missing = tf.sub(tf.array.rank(rows), tf.array.rank(ids));
    Output ones = tf.fill(tf.reshape(missing, 1), tf.constant(1));
    Output wide = tf.concat(0, tf.shape(ids), ones);
    Output gradient = tf.where(tf.reshape(counted, wide), rows, tf.constant(rows.type(), 0));
    return List.of(gradient, GradientValue.none(), GradientValue.none());
  }

  /** The sum of the rows of each segment, where ids are in ascending order. */
  public Output segmentSum(Operand data, Operand segmentIds) {
    return scope.operation("SegmentSum").input(data).input(segmentIds).buildOutput();
  }

  /**
   * The sum of the rows that {@code indices} pick for each segment, where ids are in ascending
   * order.
   */
  public Output sparseSegmentSum(Operand data, Operand indices, Operand segmentIds) {
    return scope
        .operation("SparseSegmentSum")
        .input(data)
        .input(indices)
        .input(segmentIds)
        .buildOutput();
  }

  /**
   * The mean of the rows that {@code indices} pick for each segment, where ids are in ascending
   * order.
   */
  public Output sparseSegmentMean(Operand data, Operand indices, Operand segmentIds) {
    return scope
        .operation("SparseSegmentMean")
        .input(data)
        .input(indices)
        .input(segmentIds)
        .buildOutput();
  }

  /** The sum of the rows of each segment, in any order; rows with a negative id are left out. */
  public Output unsortedSegmentSum(Operand data, Operand segmentIds, Operand segments) {
    return scope
        .operation("UnsortedSegmentSum")
        .input(data)
        .input(segmentIds)
        .input(segments)
        .buildOutput();
  }
}
