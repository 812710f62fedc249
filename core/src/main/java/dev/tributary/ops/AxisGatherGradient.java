package dev.tributary.ops;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.tensor.DataType;

/**
 * The gradient of a gather along any axis, with or without batches. Seen as [batches, outer, axis,
 * inner], the params' gradient is a sum over segments: the axis is brought to the front of the
 * outer dimensions, every batch gets segments of its own, and afterwards the axis is put back.
 */
final class AxisGatherGradient {
  private final Ops tf;
  private final Scope scope;
  private final Output shape;
  private final Output indices;
  private final Output axis;
  private final Output batchDims;

  private AxisGatherGradient(Ops tf, Operation gather) {
    this.tf = tf;
    this.scope = tf.scope();
    this.shape = tf.shape(gather.input(0));
    this.indices = gather.input(1);
    Output given = int32(gather.input(2));
    this.axis = binary("FloorMod", given, tf.array.rank(gather.input(0)));
    int batch = gather.attributes().int32("batch_dims");
    this.batchDims =
        batch >= 0
            ? tf.constant(batch)
            : binary("AddV2", tf.array.rank(indices), tf.constant(batch));
  }

  static Output of(Ops tf, Operation gather, Output dy) {
    return new AxisGatherGradient(tf, gather).build(dy);
  }

  private Output build(Output dy) {
    Output rank = tf.size(shape);
    Output behind = binary("AddV2", axis, tf.constant(1));
    Output batches = product(tf.constant(0), batchDims);
    Output outer = product(batchDims, axis);
    Output size = product(axis, behind);
    Output inner = product(behind, rank);
    Output count = tf.size(indices);
    Output perBatch = binary("FloorDiv", count, binary("Maximum", batches, tf.constant(1)));

    Output values = tf.reshape(dy, tf.stack(batches, outer, perBatch, inner));
    Output rows = tf.stack(count, outer, inner);
    Output turned = tf.reshape(tf.transpose(values, 0, 2, 1, 3), rows);
    Output segments = tf.reshape(segments(batches, perBatch, size), -1);
    Output sums =
        scope
            .operation("UnsortedSegmentSum")
            .input(turned)
            .input(segments)
            .input(binary("Mul", batches, size))
            .buildOutput();
    Output apart = tf.reshape(sums, tf.stack(batches, size, outer, inner));
    return tf.reshape(tf.transpose(apart, 0, 2, 1, 3), shape);
  }

  /** The indices, those of each batch moved on by the segments of the batches before it. */
  private Output segments(Output batches, Output perBatch, Output size) {
    Output firsts =
        scope
            .operation("Range")
            .input(tf.constant(0))
            .input(batches)
            .input(tf.constant(1))
            .buildOutput();
    Output offsets = tf.expandDims(binary("Mul", firsts, size), 1);
    return binary("AddV2", tf.reshape(int32(indices), tf.stack(batches, perBatch)), offsets);
  }

  /** The product of the params' sizes from one dimension up to another. */
  private Output product(Output from, Output to) {
    Output begin = tf.expandDims(from, 0);
    Output count = tf.expandDims(binary("Sub", to, from), 0);
    return scope
        .operation("Prod")
        .input(tf.array.slice(shape, begin, count))
        .input(tf.constant(0))
        .buildOutput();
  }

  private Output binary(String op, Output x, Output y) {
    return scope.operation(op).input(x).input(y).buildOutput();
  }

  private Output int32(Output value) {
    return value.type() == DataType.INT32
        ? value
        : scope.operation("Cast").input(value).attr("DstT", DataType.INT32).buildOutput();
  }
}
