package dev.tributary.graph.wire;

import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.internal.library.FunctionLibrary;
import dev.tributary.internal.wire.Defaults;
import dev.tributary.internal.wire.NodeDefBuilder;
import dev.tributary.internal.wire.OpDefs;
import dev.tributary.internal.wire.Versions;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.tensorflow.proto.FunctionDefLibrary;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpList;

/** Graphs as messages have them. */
public final class GraphDefs {
  private GraphDefs() {}

  // ---- writing ----

  /** The graph for any peer since TensorFlow 1.15: {@link Defaults#STRIP_NEW}. */
  public static GraphDef toProto(Graph graph) {
    return toProto(graph, Defaults.STRIP_NEW);
  }

  /** All operations, in order of creation, and all functions. */
  public static GraphDef toProto(Graph graph, Defaults defaults) {
    GraphDef nodes = toProto(graph.operations(), defaults);
    FunctionLibrary functions = FunctionLibrary.of(graph);
    return functions.size() == 0 ? nodes : nodes.toBuilder().setLibrary(toProto(functions)).build();
  }

  /** All functions of a library, in the order in which they were added. */
  public static FunctionDefLibrary toProto(FunctionLibrary functions) {
    return FunctionDefs.toProto(functions);
  }

  /**
   * The functions that these nodes reach: by their ops, by their attributes, through the bodies of
   * such functions, as their gradients, and those which may stand for one of them.
   */
  public static FunctionDefLibrary reachable(Collection<NodeDef> nodes, FunctionLibrary functions) {
    return FunctionReferences.reachable(nodes, functions);
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

  /** The declarations of the ops that a graph and its functions use, sorted by name. */
  public static OpList opList(Graph graph) {
    SortedSet<String> ops = new TreeSet<>();
    graph.operations().forEach(operation -> ops.add(operation.type()));
    toProto(FunctionLibrary.of(graph))
        .getFunctionList()
        .forEach(function -> function.getNodeDefList().forEach(node -> ops.add(node.getOp())));
    OpList.Builder list = OpList.newBuilder();
    for (String op : ops) {
      graph.registry().find(op).ifPresent(known -> list.addOp(OpDefs.toProto(known.def())));
    }
    return list.build();
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
