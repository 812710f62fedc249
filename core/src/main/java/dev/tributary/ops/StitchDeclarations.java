package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.InferenceContext;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.kernel.flow.StitchKernels;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The ops that take tensors apart by number and put them together again. */
final class StitchDeclarations {
  private StitchDeclarations() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        stitch("DynamicStitch"),
        stitch("ParallelDynamicStitch"),
        op("DynamicPartition")
            .input("data: T")
            .input("partitions: int32")
            .output("outputs: num_partitions * T")
            .attr("num_partitions: int >= 1")
            .attr("T: type")
            .shape(StitchDeclarations::partitionShape)
            .kernel(
                node -> {
                  int count = node.attributes().int32("num_partitions");
                  return c -> StitchKernels.partition(c, count);
                })
            .gradAll(StitchDeclarations::partitionGradient));
  }

  private static OpDeclaration stitch(String name) {
    return op(name)
        .input("indices: N * int32")
        .input("data: N * T")
        .output("merged: T")
        .attr("N: int >= 1")
        .attr("T: type")
        .shape(StitchDeclarations::stitchShape)
        .kernel(node -> StitchKernels::stitch)
        .grad(StitchDeclarations::stitchGradient);
  }

  private static void partitionShape(InferenceContext c) {
    Shape data = c.input(0);
    Shape partitions = c.input(1);
    Shape rest = Shape.unknown();
    if (data.hasRank() && partitions.hasRank()) {
      rest = rest(data, partitions);
    }
    for (int i = 0; i < c.outputCount(); i++) {
      c.output(i, Shape.ofRank(1).concatenate(rest));
    }
  }

  private static void stitchShape(InferenceContext c) {
    int count = c.inputCount() / 2;
    Shape slice = Shape.unknown();
    long rows = 0;
    for (int i = 0; i < count; i++) {
      if (c.input(i).hasRank() && c.input(count + i).hasRank()) {
        slice = slice.merge(rest(c.input(count + i), c.input(i)));
      }
      Optional<Tensor> indices = c.constant(i);
      if (indices.isEmpty()) {
        rows = Shape.UNKNOWN;
      } else if (rows != Shape.UNKNOWN) {
        for (long index : indices.get().toIndices()) {
          rows = Math.max(rows, index + 1);
        }
      }
    }
    c.output(0, Shape.of(rows).concatenate(slice));
  }

  /** The sizes of {@code shape} behind those that it shares with {@code prefix}. */
  private static Shape rest(Shape shape, Shape prefix) {
    if (shape.rank() < prefix.rank() || !shape.slice(0, prefix.rank()).isCompatibleWith(prefix)) {
      throw TributaryException.invalidArgument("shape %s must start with %s", shape, prefix);
    }
    return shape.slice(prefix.rank(), shape.rank());
  }

  private static List<GradientValue> stitchGradient(Ops tf, Operation op, Output dy) {
    int count = op.inputs().size() / 2;
    List<GradientValue> shares = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      shares.add(GradientValue.none());
    }
    for (int i = 0; i < count; i++) {
      shares.add(
          tf.scope()
              .operation("GatherV2")
              .input(dy)
              .input(op.input(i))
              .input(tf.constant(0))
              .buildOutput());
    }
    return shares;
  }

  private static List<GradientValue> partitionGradient(Ops tf, Operation op, List<Output> dy) {
    Output prefix = tf.shape(op.input(1));
    Output total =
        tf.scope().operation("Prod").input(prefix).input(tf.constant(new int[] {0})).buildOutput();
    Output places =
        tf.scope()
            .operation("Range")
            .input(tf.constant(0))
            .input(total)
            .input(tf.constant(1))
            .buildOutput();
    List<Output> parts =
        tf.dataFlow.dynamicPartition(tf.reshape(places, prefix), op.input(1), dy.size());
    Output together = tf.dataFlow.dynamicStitch(parts, dy);
    return List.of(tf.reshape(together, tf.shape(op.input(0))), GradientValue.none());
  }
}
