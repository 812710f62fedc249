package dev.tributary.plan;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.Graph;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.OpFlag;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Cuts out of a graph what a step needs: walks back from fetches and targets, stops at feeds, and
 * puts {@code _Arg} and {@code _Retval} nodes at the cuts. Confined to one call.
 */
public final class Pruner {
  private final Graph graph;
  private final StepSignature signature;
  private final Map<Output, StepNode> arguments = new LinkedHashMap<>();
  private final Map<Operation, StepNode> nodes = new HashMap<>();

  private Pruner(Graph graph, StepSignature signature) {
    this.graph = graph;
    this.signature = signature;
  }

  public static StepGraph prune(Graph graph, StepSignature signature) {
    synchronized (graph) {
      return new Pruner(graph, signature).run();
    }
  }

  private StepGraph run() {
    checkRequest();
    List<StepNode> all = new ArrayList<>();
    for (int i = 0; i < signature.feeds().size(); i++) {
      Output feed = signature.feeds().get(i);
      StepNode argument =
          boundary(
              "_Arg", "_arg_" + feed.operation().name() + "_" + feed.index() + "_" + i, feed, i);
      if (arguments.put(feed, argument) != null) {
        throw TributaryException.invalidArgument("%s is fed twice", feed.name());
      }
      all.add(argument);
    }
    List<Operation> needed = reach();
    for (Operation operation : needed) {
      StepNode node = StepNode.of(operation);
      nodes.put(operation, node);
      all.add(node);
    }
    needed.forEach(this::connect);
    Map<StepNode, String> roots = new LinkedHashMap<>();
    signature.targets().stream()
        .filter(target -> !isFedPlaceholder(target))
        .forEach(target -> roots.put(nodes.get(target), "target '" + target.name() + "'"));
    for (int i = 0; i < signature.fetches().size(); i++) {
      Output fetch = signature.fetches().get(i);
      StepNode result =
          boundary(
              "_Retval",
              "_retval_" + fetch.operation().name() + "_" + fetch.index() + "_" + i,
              fetch,
              i);
      result.inputs().add(source(fetch));
      roots.put(result, "fetch '" + fetch.name() + "'");
      all.add(result);
    }
    return new StepGraph(all, roots);
  }

  private void checkRequest() {
    if (signature.fetches().isEmpty() && signature.targets().isEmpty()) {
      throw TributaryException.invalidArgument(
          "a step needs something to fetch or a target to run, got neither");
    }
    List<Operation> named = new ArrayList<>(signature.targets());
    signature.feeds().forEach(o -> named.add(o.operation()));
    signature.fetches().forEach(o -> named.add(o.operation()));
    for (Operation operation : named) {
      if (operation.graph() != graph) {
        throw TributaryException.invalidArgument(
            "%s belongs to another graph than the session", operation);
      }
    }
  }

  /** The operations needed, in order of creation. */
  private List<Operation> reach() {
    Set<Operation> seen = new HashSet<>();
    List<Operation> open = new ArrayList<>();
    signature.targets().stream().filter(t -> !isFedPlaceholder(t)).forEach(open::add);
    signature.fetches().stream()
        .filter(f -> !arguments.containsKey(f))
        .forEach(f -> open.add(f.operation()));
    while (!open.isEmpty()) {
      Operation operation = open.remove(open.size() - 1);
      if (!seen.add(operation)) {
        continue;
      }
      operation.inputs().stream()
          .filter(i -> !arguments.containsKey(i))
          .forEach(i -> open.add(i.operation()));
      operation.controlInputs().stream().filter(c -> !isFedPlaceholder(c)).forEach(open::add);
    }
    List<Operation> ordered = new ArrayList<>(seen);
    ordered.sort(Comparator.comparingInt(Operation::id));
    return ordered;
  }

  /** A placeholder that is fed has nothing to run: a control edge from it holds at once. */
  private boolean isFedPlaceholder(Operation operation) {
    return operation.declaration().has(OpFlag.PLACEHOLDER)
        && arguments.containsKey(operation.output(0));
  }

  private void connect(Operation operation) {
    StepNode node = nodes.get(operation);
    for (Output input : operation.inputs()) {
      if (arguments.containsKey(input) && node.isRefInput(node.inputs().size())) {
        throw TributaryException.invalidArgument(
            "%s is fed a value, but %s needs the variable itself", input.name(), operation);
      }
      node.inputs().add(source(input));
    }
    operation.controlInputs().stream()
        .filter(c -> !isFedPlaceholder(c))
        .forEach(c -> node.controlInputs().add(nodes.get(c)));
  }

  private StepNode.Source source(Output output) {
    StepNode argument = arguments.get(output);
    return argument != null
        ? new StepNode.Source(argument, 0)
        : new StepNode.Source(nodes.get(output.operation()), output.index());
  }

  private StepNode boundary(String op, String name, Output value, int index) {
    OpDeclaration declaration = graph.registry().lookup(op);
    Attributes attributes =
        Attributes.of(Map.of("T", AttrValue.of(value.type()), "index", AttrValue.of(index)));
    List<DataType> types =
        declaration.def().outputs().isEmpty() ? List.of() : List.of(value.type());
    return new StepNode(name, declaration, attributes, DeviceSpec.empty(), types);
  }
}
