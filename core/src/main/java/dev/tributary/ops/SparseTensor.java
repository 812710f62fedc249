package dev.tributary.ops;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;

/**
 * A sparse tensor in a graph: the coordinates of its values, an int64 matrix with a row for each;
 * the values; and the sizes of the dense tensor.
 */
public record SparseTensor(Output indices, Output values, Output shape) {
  /** The sparse tensor in the first three outputs of an operation. */
  static SparseTensor of(Operation operation) {
    return new SparseTensor(operation.output(0), operation.output(1), operation.output(2));
  }
}
