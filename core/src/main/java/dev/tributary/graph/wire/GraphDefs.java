package dev.tributary.graph.wire;

import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
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
    return toProto(graph.operations(), defaults);
  }

  /** These operations, which may depend on others that the receiver has already. */
  public static GraphDef toProto(List<Operation> operations, Defaults defaults) {
    GraphDef.Builder proto = GraphDef.newBuilder().setVersions(Versions.ours());
    // Operations on one device share its spec, and their nodes share its name.
    Map<DeviceSpec, String> devices = new IdentityHashMap<>();
    for (Operation operation : operations) {
      String device = devices.computeIfAbsent(operation.device(), DeviceSpec::toString);
      proto.addNode(toProto(operation, device, defaults));
    }
    return proto.build();
  }

  /** One operation. */
  public static NodeDef toProto(Operation operation, Defaults defaults) {
    return toProto(operation, operation.device().toString(), defaults);
  }

  private static NodeDef toProto(Operation operation, String device, Defaults defaults) {
    NodeDefBuilder node =
        new NodeDefBuilder(operation.name(), operation.declaration().def())
            .device(device)
            .attributes(operation.attributes(), defaults);
    operation.inputs().forEach(input -> node.input(input.operation().name(), input.index()));
    operation.controlInputs().forEach(control -> node.controlInput(control.name()));
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
