package dev.tributary.ops;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.tensor.Shape;
import java.util.List;

/** The gradient of ResourceGather: one slice of the variable for each index. */
final class GatherGradient {
  private GatherGradient() {}

  static IndexedSlices slices(Ops tf, Operation gather, Output dy) {
    if (gather.attributes().integer("batch_dims") != 0) {
      throw TributaryException.unimplemented("the gradient of %s with batch dimensions", gather);
    }
    Output resource = gather.input(0);
    Output indices = gather.input(1);
    Shape variable = resource.operation().handleShape(resource.index());
    Output shape = tf.state.variableShape(resource);
    Output values =
        hasKnownRows(variable)
            ? tf.constant(withFreeRowCount(variable))
            : shapeOfSlices(tf, indices, shape);
    return new IndexedSlices(
        reshape(tf, dy, values), reshape(tf, indices, tf.constant(new int[] {-1})), shape);
  }

  /** Returns whether a count of rows can be worked out from a count of elements. */
  private static boolean hasKnownRows(Shape variable) {
    return variable.hasRank() && variable.slice(1, variable.rank()).elementCount() > 0;
  }

  private static int[] withFreeRowCount(Shape variable) {
    int[] sizes = new int[variable.rank()];
    sizes[0] = -1;
    for (int i = 1; i < sizes.length; i++) {
      sizes[i] = Math.toIntExact(variable.size(i));
    }
    return sizes;
  }

  /** The number of indices, followed by the sizes of the variable's rows. */
  private static Output shapeOfSlices(Ops tf, Output indices, Output variableShape) {
    Scope scope = tf.scope();
    Output count = scope.operation("Size").input(indices).buildOutput();
    Output counts = scope.operation("ExpandDims").input(count).input(tf.constant(0)).buildOutput();
    Output row =
        scope
            .operation("StridedSlice")
            .input(variableShape)
            .input(tf.constant(new int[] {1}))
            .input(tf.constant(new int[] {0}))
            .input(tf.constant(new int[] {1}))
            .attr("end_mask", 1)
            .buildOutput();
    return scope
        .operation("ConcatV2")
        .inputList(List.of(counts, row))
        .input(tf.constant(0))
        .buildOutput();
  }

  private static Output reshape(Ops tf, Output value, Output shape) {
    return tf.scope().operation("Reshape").input(value).input(shape).buildOutput();
  }
}
