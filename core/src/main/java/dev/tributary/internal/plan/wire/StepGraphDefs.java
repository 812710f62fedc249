package dev.tributary.internal.plan.wire;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.graph.wire.ImportOptions;
import dev.tributary.internal.library.FunctionLibrary;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.wire.Defaults;
import dev.tributary.internal.wire.NodeDefBuilder;
import dev.tributary.internal.wire.Versions;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.proto.FunctionDefLibrary;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;

/** Step graphs as messages have them. */
public final class StepGraphDefs {
  private static final ImportOptions OPTIONS =
      ImportOptions.defaults().withInternalNames().withCheck(StepGraphDefs::requireDevices);

  private static final String NAMED_BY_NOBODY = "";

  private StepGraphDefs() {}

  /**
   * The message for a worker, which may be a TensorFlow since 1.15: every node with the full name
   * of its device, in the order of the step graph.
   *
   * @param functions those that nodes may refer to; the message has the ones that they reach
   */
  public static GraphDef toProto(StepGraph graph, FunctionLibrary functions) {
    GraphDef nodes = toProto(graph);
    FunctionDefLibrary reached = GraphDefs.reachable(nodes.getNodeList(), functions);
    return reached.getFunctionCount() == 0 ? nodes : nodes.toBuilder().setLibrary(reached).build();
  }

  /** The same for nodes that refer to no function. */
  public static GraphDef toProto(StepGraph graph) {
    GraphDef.Builder proto = GraphDef.newBuilder().setVersions(Versions.ours());
    graph.nodes().forEach(node -> proto.addNode(toProto(node)));
    return proto.build();
  }

  private static NodeDef toProto(StepNode node) {
    NodeDefBuilder builder =
        new NodeDefBuilder(node.name(), node.declaration().def())
            .device(node.device())
            .attributes(node.attributes(), Defaults.STRIP_NEW);
    node.inputs().forEach(input -> builder.input(input.node().name(), input.index()));
    node.controlInputs().forEach(control -> builder.controlInput(control.name()));
    return builder.build();
  }

  /**
   * The step graph in a message. All its nodes are to run, on the devices they name: those that
   * have effects and those that nobody consumes are its roots. What is wrong with the message ends
   * in one error that names the node.
   *
   * @param owner an empty graph with the ops that nodes may use. It owns the tensors of the
   *     constants, so it is to be closed when the step graph runs no more. If this fails it stays
   *     empty
   */
  public static StepGraph fromProto(GraphDef def, Graph owner) {
    GraphDefs.importInto(owner, def, OPTIONS);
    List<Operation> operations = owner.operations();
    // By the numbers of their operations.
    StepNode[] nodes = new StepNode[operations.size()];
    // Operations on one device share its spec, and their nodes share its name.
    Map<DeviceSpec, String> devices = new IdentityHashMap<>();
    for (Operation operation : operations) {
      StepNode node = StepNode.of(operation);
      node.place(devices.computeIfAbsent(operation.device(), DeviceSpec::toString));
      nodes[operation.id()] = node;
    }
    boolean[] consumed = new boolean[nodes.length];
    operations.forEach(operation -> connect(operation, nodes, consumed));
    return new StepGraph(List.of(nodes), roots(nodes, consumed));
  }

  private static void requireDevices(List<Operation> operations) {
    DeviceSpec last = null; // Many on one device come one after the other, and share its spec.
    for (Operation operation : operations) {
      if (operation.device() != last && !operation.device().isComplete()) {
        throw TributaryException.invalidArgument(
                "is on device '%s', wanted a full name", operation.device())
            .at(operation.toString());
      }
      last = operation.device();
    }
  }

  private static void connect(Operation operation, StepNode[] nodes, boolean[] consumed) {
    StepNode node = nodes[operation.id()];
    List<Output> inputs = operation.inputs();
    for (int i = 0; i < inputs.size(); i++) {
      int source = inputs.get(i).operation().id();
      node.inputs().add(new StepNode.Source(nodes[source], inputs.get(i).index()));
      consumed[source] = true;
    }
    for (Operation control : operation.controlInputs()) {
      node.controlInputs().add(nodes[control.id()]);
      consumed[control.id()] = true;
    }
  }

  /** A consumer may turn out to be needless, so what has effects must not hang on it. */
  private static Map<StepNode, String> roots(StepNode[] nodes, boolean[] consumed) {
    Map<StepNode, String> roots = new LinkedHashMap<>();
    for (int i = 0; i < nodes.length; i++) {
      if (hasEffects(nodes[i]) || !consumed[i]) {
        roots.put(nodes[i], NAMED_BY_NOBODY);
      }
    }
    return roots;
  }

  /** Ops on reference variables are not called stateful, although they write. */
  private static boolean hasEffects(StepNode node) {
    if (node.declaration().def().isStateful()) {
      return true;
    }
    for (int i = 0; i < node.inputs().size(); i++) {
      if (node.isRefInput(i)) {
        return true;
      }
    }
    return false;
  }
}
