package dev.tributary.internal.explain;

import java.util.List;

/**
 * The load of a task.
 *
 * @param nodes the names of the graph's nodes that it would run, without those that partitioning
 *     adds
 */
public record TaskLoad(String task, List<String> nodes, List<PlacedVariable> variables) {
  public TaskLoad {
    nodes = List.copyOf(nodes);
    variables = List.copyOf(variables);
  }

  /** The size of the variables whose size is known. */
  public long variableBytes() {
    return variables.stream().mapToLong(variable -> variable.bytes().orElse(0)).sum();
  }
}
