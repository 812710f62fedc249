package dev.tributary.ops;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;

/** The gradient of ResourceGather: one slice of the variable for each index. */
final class GatherGradient {
  private GatherGradient() {}

  static IndexedSlices slices(Ops tf, Operation gather, Output dy) {
    if (gather.attributes().integer("batch_dims") != 0) {
      throw TributaryException.unimplemented("the gradient of %s with batch dimensions", gather);
    }
    Scope scope = tf.scope();
    Output indices = gather.input(1);
    Output shape = tf.state.variableShape(gather.input(0));
    Output count =
        scope
            .operation("ExpandDims")
            .input(scope.operation("Size").input(indices).buildOutput())
            .input(tf.constant(0))
            .buildOutput();
    Output rowShape =
        scope
            .operation("StridedSlice")
            .input(shape)
            .input(tf.constant(new int[] {1}))
            .input(tf.constant(new int[] {0}))
            .input(tf.constant(new int[] {1}))
            .attr("end_mask", 1)
            .buildOutput();
    Output valuesShape =
        scope
            .operation("ConcatV2")
            .inputList(java.util.List.of(count, rowShape))
            .input(tf.constant(0))
            .buildOutput();
    return new IndexedSlices(
        scope.operation("Reshape").input(dy).input(valuesShape).buildOutput(),
        scope.operation("Reshape").input(indices).input(count).buildOutput(),
        shape);
  }
}
