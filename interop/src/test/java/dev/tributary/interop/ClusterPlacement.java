package dev.tributary.interop;

import dev.tributary.interop.TestCluster.Task;
import java.util.HashSet;
import java.util.Set;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;

/**
 * Asks for devices in a model's graph: variables and what changes them on the ps, the rest on a
 * worker.
 */
final class ClusterPlacement {
  private static final Set<String> STATE = Set.of("VariableV2", "VarHandleOp");

  private ClusterPlacement() {}

  /** The graph with devices, and with its variables in a container of that name. */
  static GraphDef on(Task worker, String container, GraphDef graph) {
    Set<String> variables = new HashSet<>();
    graph.getNodeList().stream()
        .filter(node -> STATE.contains(node.getOp()))
        .forEach(node -> variables.add(node.getName()));
    GraphDef.Builder placed = graph.toBuilder();
    for (NodeDef.Builder node : placed.getNodeBuilderList()) {
      boolean isVariable = variables.contains(node.getName());
      boolean onPs =
          isVariable || node.getInputList().stream().anyMatch(i -> variables.contains(nodeOf(i)));
      node.setDevice((onPs ? Task.PS : worker).device());
      if (isVariable) {
        node.putAttr("container", Nodes.text(container));
      }
    }
    return placed.build();
  }

  private static String nodeOf(String input) {
    int colon = input.lastIndexOf(':');
    String name = colon < 0 ? input : input.substring(0, colon);
    return name.startsWith("^") ? name.substring(1) : name;
  }
}
