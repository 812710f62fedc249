package dev.tributary.internal.plan;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.op.OpFlag;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Cuts out of a graph what a step needs: walks back from fetches and targets, stops at feeds, and
 * puts the nodes of a {@link Boundary} at the cuts. Confined to one call.
 */
public final class Pruner {
  private final Graph graph;
  private final StepSignature signature;
  private final Boundary boundary;
  private final Map<Output, StepNode> arguments = new LinkedHashMap<>();

  /** By the ids of the operations that they stand for. */
  private final StepNode[] nodes;

  private Pruner(Graph graph, StepSignature signature, Boundary boundary) {
    this.graph = graph;
    this.signature = signature;
    this.boundary = boundary;
    this.nodes = new StepNode[graph.size()];
  }

  /** The graph of a step that is called in this process. */
  public static StepGraph prune(Graph graph, StepSignature signature) {
    return prune(graph, signature, new CallBoundary(graph.registry()));
  }

  public static StepGraph prune(Graph graph, StepSignature signature, Boundary boundary) {
    synchronized (graph) {
      return new Pruner(graph, signature, boundary).run();
    }
  }

  private StepGraph run() {
    signature.requireStepOf(graph);
    boundary.check(signature);
    List<StepNode> all = new ArrayList<>();
    for (int i = 0; i < signature.feeds().size(); i++) {
      Output feed = signature.feeds().get(i);
      StepNode argument = boundary.feed(feed, i);
      arguments.put(feed, argument);
      all.add(argument);
    }
    List<Operation> needed = needed();
    for (Operation operation : needed) {
      StepNode node = StepNode.of(operation);
      nodes[operation.id()] = node;
      all.add(node);
    }
    needed.forEach(this::connect);
    Map<StepNode, String> roots = new LinkedHashMap<>();
    signature.targets().stream()
        .filter(target -> !isFedPlaceholder(target))
        .forEach(target -> roots.put(nodes[target.id()], "target '" + target.name() + "'"));
    all.addAll(results(roots));
    return new StepGraph(all, roots);
  }

  private List<StepNode> results(Map<StepNode, String> roots) {
    Map<String, StepNode> byName = new LinkedHashMap<>();
    for (int i = 0; i < signature.fetches().size(); i++) {
      Output fetch = signature.fetches().get(i);
      StepNode result = boundary.fetch(fetch, i);
      if (byName.putIfAbsent(result.name(), result) == null) {
        result.inputs().add(source(fetch));
        roots.put(result, "fetch '" + fetch.name() + "'");
      }
    }
    return List.copyOf(byName.values());
  }

  /** The operations needed, in order of creation. */
  private List<Operation> needed() {
    BitSet reached = reach();
    List<Operation> all = graph.operations();
    List<Operation> needed = new ArrayList<>(reached.cardinality());
    for (int id = reached.nextSetBit(0); id >= 0; id = reached.nextSetBit(id + 1)) {
      needed.add(all.get(id));
    }
    return needed;
  }

  /** The ids of the operations needed. */
  private BitSet reach() {
    BitSet reached = new BitSet(nodes.length);
    List<Operation> open = new ArrayList<>();
    signature.targets().stream().filter(t -> !isFedPlaceholder(t)).forEach(open::add);
    signature.fetches().stream()
        .filter(f -> !arguments.containsKey(f))
        .forEach(f -> open.add(f.operation()));
    while (!open.isEmpty()) {
      Operation operation = open.remove(open.size() - 1);
      if (reached.get(operation.id())) {
        continue;
      }
      reached.set(operation.id());
      for (Output input : operation.inputs()) {
        if (!arguments.containsKey(input)) {
          open.add(input.operation());
        }
      }
      for (Operation control : operation.controlInputs()) {
        if (!isFedPlaceholder(control)) {
          open.add(control);
        }
      }
    }
    return reached;
  }

  /** A placeholder that is fed never runs: who waits for it waits for the value fed. */
  private boolean isFedPlaceholder(Operation operation) {
    return operation.declaration().has(OpFlag.PLACEHOLDER)
        && arguments.containsKey(operation.output(0));
  }

  private void connect(Operation operation) {
    StepNode node = nodes[operation.id()];
    for (Output input : operation.inputs()) {
      if (arguments.containsKey(input) && node.isRefInput(node.inputs().size())) {
        throw TributaryException.invalidArgument(
            "%s is fed a value, but %s needs the variable itself", input.name(), operation);
      }
      node.inputs().add(source(input));
    }
    for (Operation control : operation.controlInputs()) {
      node.controlInputs()
          .add(isFedPlaceholder(control) ? arguments.get(control.output(0)) : nodes[control.id()]);
    }
  }

  private StepNode.Source source(Output output) {
    StepNode argument = arguments.get(output);
    return argument != null
        ? new StepNode.Source(argument, 0)
        : new StepNode.Source(nodes[output.operation().id()], output.index());
  }
}
