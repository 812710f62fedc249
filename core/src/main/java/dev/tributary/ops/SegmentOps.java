package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.InferenceContext;
import dev.tributary.graph.KnownValue;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
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

  private static void unsortedShape(InferenceContext context) {
    Shape data = context.input(0);
    Shape ids = context.input(1);
    context.withRank(2, 0);
    if (!data.hasRank() || !ids.hasRank()) {
      return;
    }
    if (data.rank() < ids.rank() || !data.slice(0, ids.rank()).isCompatibleWith(ids)) {
      throw TributaryException.invalidArgument("segment_ids of shape %s are no prefix of data of shape %s", ids, data);
    }
    long segments = context.known(2).map(known -> known.elements()[0]).filter(n -> n != KnownValue.UNKNOWN).orElse(Shape.UNKNOWN);
    context.output(0, Shape.of(segments).concatenate(data.slice(ids.rank(), data.rank())));
  }

  /** Rows with negative ids went nowhere, and get zero. */
  private static List<GradientValue> unsortedGradient(Ops tf, Operation op, Output dy) {
    Output ids = op.input(1);
    Output zero = tf.constant(ids.type(), 0);
    Output rows = gather(tf, dy, tf.math.maximum(ids, zero));
    Output counted = tf.compare.greaterEqual(ids, zero);
    Output shape = Broadcasting.shape(tf, ids);
    Output rank = tf.scope().operation("Rank").input(rows).buildOutput();
    Output missing = tf.math.sub(rank, tf.scope().operation("Rank").input(ids).buildOutput());
    Output ones = tf.scope().operation("Fill").input(Broadcasting.reshape(tf, missing, tf.constant(new int[] {1}))).input(tf.constant(1)).buildOutput();
    Output wide = tf.scope().operation("ConcatV2").inputList(List.of(shape, ones)).input(tf.constant(0)).buildOutput();
    Output gradient = tf.compare.select(Broadcasting.reshape(tf, counted, wide), rows, tf.constant(rows.type(), 0));
    return List.of(gradient, GradientValue.none(), GradientValue.none());
  }

  static Output gather(Ops tf, Output rows, Output indices) {
    return tf.scope().operation("GatherV2").input(rows).input(indices).input(tf.constant(0)).buildOutput();
  }

  public Output unsortedSegmentSum(Output data, Output segmentIds, Output segments) {
    return scope.operation("UnsortedSegmentSum").input(data).input(segmentIds).input(segments).buildOutput();
  }
}
