package dev.tributary.graph.wire;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.TensorName;
import dev.tributary.internal.library.FunctionDefinition;
import dev.tributary.internal.library.FunctionLibrary;
import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.wire.Versions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;

/**
 * One import of a graph message. All operations are made outside of the graph first, each after
 * those it depends on; the graph takes them in at the very end, all at once, so that a failure
 * leaves it as it was.
 *
 * <p>A loop is a cycle from a NextIteration to a Merge. The Merge is made before the value that
 * comes back to it: its first other input stands in for that one, until all operations are there.
 * Confined to one thread.
 */
final class GraphImporter {
  private final Graph graph;
  private final GraphDef def;
  private final ImportOptions options;
  private final ImportAttributes attributes;

  /** By their names, each read once: many nodes are on a few. */
  private final Map<String, DeviceSpec> devices = new HashMap<>();

  private final List<ImportNode> nodes;
  private final Map<String, Integer> places;
  private final Operation[] made;

  GraphImporter(Graph graph, GraphDef def, ImportOptions options) {
    this.graph = graph;
    this.def = def;
    this.options = options;
    this.attributes = new ImportAttributes(def.getVersions().getProducer());
    this.nodes = new ArrayList<>(def.getNodeCount());
    this.places = new HashMap<>(def.getNodeCount() * 2);
    this.made = new Operation[def.getNodeCount()];
  }

  ImportedGraph run() {
    Versions.checkReadable(def.getVersions());
    List<FunctionDefinition> functions = FunctionDefs.addTo(graph, def.getLibrary());
    try {
      return importNodes();
    } catch (RuntimeException e) {
      FunctionLibrary.of(graph).removeAll(functions);
      throw e;
    }
  }

  private ImportedGraph importNodes() {
    readNodes();
    int[] order = order();
    if (!options.uniquePrefix()) {
      return build(order, options.prefix().isEmpty() ? "" : options.prefix() + "/");
    }
    String scope = graph.takeName(options.prefix());
    try {
      return build(order, scope + "/");
    } catch (RuntimeException e) {
      graph.giveBackName(scope);
      throw e;
    }
  }

  private ImportedGraph build(int[] order, String prefix) {
    try {
      List<Operation> sorted = new ArrayList<>(order.length);
      for (int place : order) {
        made[place] = make(nodes.get(place), prefix);
        sorted.add(made[place]);
      }
      closeLoops();
      ImportedGraph result = result(prefix);
      options.check().accept(sorted);
      graph.addAll(sorted);
      return result;
    } finally {
      attributes.release();
    }
  }

  // ---- reading ----

  /** Lists all unknown ops at once; a single node with one gets an error with ops of like name. */
  private void requireKnownOps() {
    List<UnknownOps.Use> uses = new ArrayList<>();
    for (NodeDef node : def.getNodeList()) {
      if (graph.declaration(node.getOp()).isEmpty()) {
        uses.add(new UnknownOps.Use(node.getOp(), node.getName(), Optional.empty()));
      }
    }
    if (uses.size() > 1) {
      throw TributaryException.notFound(
          "ops of the message are not registered: %s", UnknownOps.describe(uses));
    }
  }

  private void readNodes() {
    requireKnownOps();
    for (NodeDef node : def.getNodeList()) {
      if (node.getName().isEmpty()) {
        throw TributaryException.invalidArgument(
            "node %d, a %s, has no name", nodes.size(), node.getOp());
      }
      try {
        nodes.add(read(node));
      } catch (TributaryException e) {
        throw e.at(ImportNode.place(node));
      }
    }
  }

  private ImportNode read(NodeDef node) {
    if (places.putIfAbsent(node.getName(), nodes.size()) != null) {
      throw TributaryException.invalidArgument("the message has two nodes of this name");
    }
    ImportNode read = ImportNode.of(node, graph.lookup(node.getOp()));
    Versions.checkAvailable(read.declaration().def(), def.getVersions().getProducer());
    return read;
  }

  private int[] order() {
    ImportOrder order = new ImportOrder(nodes.size());
    for (int to = 0; to < nodes.size(); to++) {
      ImportNode node = nodes.get(to);
      for (int i = 0; i < node.inputs().size(); i++) {
        TensorName input = node.inputs().get(i);
        boolean elsewhere = options.inputs().containsKey(input) || isExisting(input.operation());
        int from = elsewhere ? ImportNode.ELSEWHERE : placeOf(node, input);
        node.inputPlaces()[i] = from;
        if (!elsewhere && !closesLoop(node, from)) {
          order.addEdge(from, to);
        }
      }
      for (String control : node.controls()) {
        if (!options.controls().containsKey(control) && !isExisting(control)) {
          order.addEdge(placeOf(node, new TensorName(control, TensorName.CONTROL)), to);
        }
      }
    }
    return order.sorted(nodes);
  }

  /** Returns whether a node of the message means an operation that the graph had before. */
  private boolean isExisting(String operation) {
    return options.existing()
        && !places.containsKey(operation)
        && graph.find(operation).isPresent();
  }

  private int placeOf(ImportNode node, TensorName input) {
    Integer place = places.get(input.operation());
    if (place == null) {
      throw TributaryException.invalidArgument(
          "%s: input '%s' is not a node of the message", node.place(), input);
    }
    return place;
  }

  private boolean closesLoop(ImportNode node, int from) {
    return node.declaration().flow() == FlowKind.MERGE
        && nodes.get(from).declaration().flow() == FlowKind.NEXT_ITERATION;
  }

  // ---- making ----

  private Operation make(ImportNode node, String prefix) {
    String name = prefix + node.name();
    OperationBuilder builder;
    try {
      requireFree(name);
      builder = OperationBuilder.detached(graph, node.def().getOp(), name);
      builder.device(devices.computeIfAbsent(node.def().getDevice(), DeviceSpec::parse));
      attributes.read(node, prefix, builder);
      addInputs(builder, node);
    } catch (TributaryException e) {
      throw e.at(node.place());
    }
    return builder.build();
  }

  private void requireFree(String name) {
    if (name.startsWith("_") && !options.internalNames()) {
      throw TributaryException.invalidArgument(
          "names that start with an underscore are the runtime's own");
    }
    if (graph.find(name).isPresent()) {
      throw TributaryException.invalidArgument("the graph already has an operation '%s'", name);
    }
  }

  private void addInputs(OperationBuilder builder, ImportNode node) {
    boolean inherits = false;
    Output[] inputs = new Output[node.inputs().size()];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = input(node, i);
      inherits |= inputs[i] != null && !options.inputs().containsKey(node.inputs().get(i));
    }
    builder.flatInputs(withStandIns(builder, inputs));
    for (String control : node.controls()) {
      Operation mapped =
          isExisting(control) ? graph.operation(control) : options.controls().get(control);
      builder.controlInput(mapped != null ? mapped : made[places.get(control)]);
      inherits |= mapped == null;
    }
    if (!inherits) {
      options.controlDependencies().forEach(builder::controlInput);
    }
  }

  /** An input of a node; null if it will come back from a loop and is not made yet. */
  private Output input(ImportNode node, int i) {
    TensorName name = node.inputs().get(i);
    int place = node.inputPlaces()[i];
    if (place == ImportNode.ELSEWHERE) {
      Output mapped = options.inputs().get(name);
      return mapped != null ? mapped : output(graph.operation(name.operation()), name);
    }
    return made[place] == null ? null : output(made[place], name);
  }

  private static Output output(Operation source, TensorName name) {
    if (name.index() >= source.outputCount()) {
      throw TributaryException.invalidArgument(
          "'%s' is not there, %s has %d outputs", name, source, source.outputCount());
    }
    return source.output(name.index());
  }

  private static List<Output> withStandIns(OperationBuilder builder, Output[] inputs) {
    Output standIn = null;
    for (int i = inputs.length - 1; i >= 0; i--) {
      standIn = inputs[i] != null ? inputs[i] : standIn;
    }
    if (standIn == null && inputs.length > 0) {
      throw TributaryException.invalidArgument(
          "all inputs come back from a loop, and none enters it");
    }
    List<Output> all = new ArrayList<>(inputs.length);
    for (int i = 0; i < inputs.length; i++) {
      if (inputs[i] == null) {
        builder.pendingInput(i);
      }
      all.add(inputs[i] == null ? standIn : inputs[i]);
    }
    return all;
  }

  private void closeLoops() {
    for (int to = 0; to < made.length; to++) {
      ImportNode node = nodes.get(to);
      if (node.declaration().flow() == FlowKind.MERGE) {
        for (int i = 0; i < node.inputs().size(); i++) {
          closeLoop(node, made[to], i);
        }
      }
    }
  }

  private void closeLoop(ImportNode node, Operation merge, int i) {
    int place = node.inputPlaces()[i];
    if (place == ImportNode.ELSEWHERE || !closesLoop(node, place)) {
      return;
    }
    try {
      graph.updateInput(merge, i, output(made[place], node.inputs().get(i)));
    } catch (TributaryException e) {
      throw e.at(node.place());
    }
  }

  // ---- looking up ----

  private ImportedGraph result(String prefix) {
    options.inputs().keySet().forEach(name -> output(imported(name.operation()), name));
    options.controls().keySet().forEach(this::imported);
    List<Output> outputs = new ArrayList<>();
    for (TensorName name : options.returnOutputs()) {
      Output mapped = options.inputs().get(name);
      outputs.add(mapped != null ? mapped : output(imported(name.operation()), name));
    }
    List<Operation> returned = options.returnOperations().stream().map(this::imported).toList();
    return new ImportedGraph(prefix, List.of(made), outputs, returned);
  }

  private Operation imported(String name) {
    Integer place = places.get(name);
    if (place == null) {
      throw TributaryException.notFound(
          "the import asks for node '%s', which the message does not have", name);
    }
    return made[place];
  }
}
