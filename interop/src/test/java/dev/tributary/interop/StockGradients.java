package dev.tributary.interop;

import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.GraphDef;

/**
 * A graph to which stock TensorFlow added gradients.
 *
 * @param graph the given nodes and those of the gradients
 * @param names for each x the output ({@code node:0}) that holds its gradient; empty where an op on
 *     the way lets none through
 */
record StockGradients(GraphDef graph, List<Optional<String>> names) {
  StockGradients {
    names = List.copyOf(names);
  }

  /** The gradients' names when each x has one. */
  List<String> allNames() {
    return names.stream().map(Optional::orElseThrow).toList();
  }
}
