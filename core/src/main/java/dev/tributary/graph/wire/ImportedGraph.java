package dev.tributary.graph.wire;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import java.util.List;

/**
 * The result of an import.
 *
 * @param prefix the prefix of all names, such as {@code import_1/}, or empty
 * @param operations all imported operations, in the order of the message
 * @param outputs the tensors that the options asked for, in their order; for one that was mapped,
 *     the value it was mapped to
 * @param returned the operations that the options asked for, in their order
 */
public record ImportedGraph(
    String prefix, List<Operation> operations, List<Output> outputs, List<Operation> returned) {
  public ImportedGraph {
    operations = List.copyOf(operations);
    outputs = List.copyOf(outputs);
    returned = List.copyOf(returned);
  }
}
