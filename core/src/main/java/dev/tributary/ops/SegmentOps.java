package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.math.Arithmetic;
import dev.tributary.internal.kernel.math.SegmentFoldKernel;
import dev.tributary.internal.kernel.math.SegmentSumKernel;
import dev.tributary.internal.kernel.math.SparseSegmentGradKernel;
import dev.tributary.internal.kernel.math.SparseSegmentKernel.Divisor;
import dev.tributary.internal.kernel.math.UnsortedSegmentSumKernel;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.KnownValue;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Sums, products and extremes of rows that belong to one segment. */
abstract sealed class SegmentOps extends SequenceOps permits ReduceOps {
  SegmentOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        sorted("SegmentSum", TypeSpecs.NUMBER)
            .kernel(SegmentSumKernel::dense)
            .grad((tf, op, dy) -> List.of(tf.gather(dy, op.input(1)), GradientValue.none())),
        sorted("SegmentMean", TypeSpecs.NUMBER)
            .kernel(SegmentFoldKernel::means)
            .grad(SegmentGradients::mean),
        sorted("SegmentProd", TypeSpecs.NUMBER)
            .kernel(
                node ->
                    SegmentFoldKernel.sorted(
                        node, Arithmetic.MULTIPLY, SegmentFoldKernel.Empty.ONE))
            .grad(SegmentGradients::prod),
        sorted("SegmentMin", TypeSpecs.ORDERED)
            .kernel(
                node ->
                    SegmentFoldKernel.sorted(
                        node, Arithmetic.MINIMUM, SegmentFoldKernel.Empty.ZERO))
            .grad(SegmentGradients::extreme),
        sorted("SegmentMax", TypeSpecs.ORDERED)
            .kernel(
                node ->
                    SegmentFoldKernel.sorted(
                        node, Arithmetic.MAXIMUM, SegmentFoldKernel.Empty.ZERO))
            .grad(SegmentGradients::extreme),
        sparse("SparseSegmentSum", TypeSpecs.ORDERED)
            .kernel(SegmentSumKernel::sparse)
            .grad((tf, op, dy) -> sparseGradient("SparseSegmentSumGrad", tf, op, dy)),
        sparse("SparseSegmentMean", TypeSpecs.REAL)
            .kernel(SegmentSumKernel::sparseMean)
            .grad((tf, op, dy) -> sparseGradient("SparseSegmentMeanGrad", tf, op, dy)),
        sparseGrad("SparseSegmentSumGrad", Divisor.ONE),
        sparseGrad("SparseSegmentMeanGrad", Divisor.COUNT),
        unsorted("UnsortedSegmentSum", TypeSpecs.NUMBER)
            .kernel(UnsortedSegmentSumKernel::new)
            .grad(SegmentGradients::unsortedSum),
        unsorted("UnsortedSegmentProd", TypeSpecs.NUMBER)
            .kernel(
                node ->
                    SegmentFoldKernel.unsorted(
                        node, Arithmetic.MULTIPLY, SegmentFoldKernel.Empty.ONE))
            .grad(SegmentGradients::unsortedProd),
        unsorted("UnsortedSegmentMin", TypeSpecs.ORDERED)
            .kernel(
                node ->
                    SegmentFoldKernel.unsorted(
                        node, Arithmetic.MINIMUM, SegmentFoldKernel.Empty.HIGHEST))
            .grad(SegmentGradients::unsortedExtreme),
        unsorted("UnsortedSegmentMax", TypeSpecs.ORDERED)
            .kernel(
                node ->
                    SegmentFoldKernel.unsorted(
                        node, Arithmetic.MAXIMUM, SegmentFoldKernel.Empty.LOWEST))
            .grad(SegmentGradients::unsortedExtreme));
  }

  private static Declaration sorted(String name, String types) {
    return op(name)
        .input("data: T")
        .input("segment_ids: Tindices")
        .output("output: T")
        .attr(types)
        .attr("Tindices: {int32, int64}")
        .shape(c -> sortedShape(c, 1));
  }

  private static Declaration unsorted(String name, String types) {
    boolean sum = name.equals("UnsortedSegmentSum");
    return op(name)
        .input("data: T")
        .input("segment_ids: Tindices")
        .input("num_segments: Tnumsegments")
        .output("output: T")
        .attr(types)
        .attr(sum ? "Tindices: {int16, int32, int64}" : "Tindices: {int32, int64}")
        .attr("Tnumsegments: {int32, int64} = int32")
        .shape(SegmentOps::unsortedShape);
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

  private static OpDeclaration sparseGrad(String name, Divisor divisor) {
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
        .kernel(node -> new SparseSegmentGradKernel(node, divisor))
        .notDifferentiable();
  }

  /** Infers the shape; the number of segments is known only when the ids are. */
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
    Output rows = tf.array.at(tf.shape(op.input(0)), 0);
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

  static void unsortedShape(InferenceContext context) {
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

  /** The mean of the rows of each segment, where ids are in ascending order. */
  public Output segmentMean(Operand data, Operand segmentIds) {
    return sorted("SegmentMean", data, segmentIds);
  }

  public Output segmentProd(Operand data, Operand segmentIds) {
    return sorted("SegmentProd", data, segmentIds);
  }

  public Output segmentMin(Operand data, Operand segmentIds) {
    return sorted("SegmentMin", data, segmentIds);
  }

  public Output segmentMax(Operand data, Operand segmentIds) {
    return sorted("SegmentMax", data, segmentIds);
  }

  /** The product of the rows of each segment, in any order; 1 where there are none. */
  public Output unsortedSegmentProd(Operand data, Operand segmentIds, Operand segments) {
    return unsorted("UnsortedSegmentProd", data, segmentIds, segments);
  }

  /** The least of the rows of each segment, in any order; the highest number if there are none. */
  public Output unsortedSegmentMin(Operand data, Operand segmentIds, Operand segments) {
    return unsorted("UnsortedSegmentMin", data, segmentIds, segments);
  }

  public Output unsortedSegmentMax(Operand data, Operand segmentIds, Operand segments) {
    return unsorted("UnsortedSegmentMax", data, segmentIds, segments);
  }

  private Output sorted(String type, Operand data, Operand segmentIds) {
    return scope.operation(type).input(data).input(segmentIds).buildOutput();
  }

  private Output unsorted(String type, Operand data, Operand segmentIds, Operand segments) {
    return scope.operation(type).input(data).input(segmentIds).input(segments).buildOutput();
  }
}
