package dev.tributary.graph.wire;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import java.util.TreeSet;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;

/** Graphs as messages have them. */
public final class GraphDefs {
  private GraphDefs() {}

  // ---- writing ----

  /** The graph for any peer since TensorFlow 1.15: {@link Defaults#STRIP_NEW}. */
  public static GraphDef toProto(Graph graph) {
    return toProto(graph, Defaults.STRIP_NEW);
  }

  /** All operations, in order of creation. */
  public static GraphDef toProto(Graph graph, Defaults defaults) {
    GraphDef.Builder proto = GraphDef.newBuilder().setVersions(Versions.ours());
    for (Operation operation : graph.operations()) {
      proto.addNode(toProto(operation, defaults));
    }
    return proto.build();
  }

  /**
   * One operation. Control inputs come after the others and sorted, so that equal graphs give equal
   * messages.
   */
  public static NodeDef toProto(Operation operation, Defaults defaults) {
    NodeDef.Builder node =
        NodeDef.newBuilder()
            .setName(operation.name())
            .setOp(operation.type())
            .setDevice(operation.device().toString());
    for (Output input : operation.inputs()) {
      node.addInput(input.index() == 0 ? input.operation().name() : input.name());
    }
    TreeSet<String> controls = new TreeSet<>();
    operation.controlInputs().forEach(control -> controls.add("^" + control.name()));
    node.addAllInput(controls);
    operation
        .attributes()
        .asMap()
        .forEach(
            (name, value) -> {
              if (defaults.writes(operation.declaration().def(), name, value)) {
                node.putAttr(name, AttrValues.toProto(value));
              }
            });
    return node.build();
  }

  // ---- reading ----

  /**
   * Adds all nodes of the message to the graph under the names that they have; see {@link
   * ImportOptions}.
   */
  public static ImportedGraph importInto(Graph graph, GraphDef def) {
    return importInto(graph, def, ImportOptions.defaults());
  }

  /**
   * Adds all nodes of the message to the graph, or none: whatever is wrong with one of them ends in
   * a single error that names it, and the graph is as before.
   */
  public static ImportedGraph importInto(Graph graph, GraphDef def, ImportOptions options) {
    return new GraphImporter(graph, def, options).run();
  }
}
