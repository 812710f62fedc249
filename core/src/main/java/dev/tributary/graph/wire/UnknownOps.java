package dev.tributary.graph.wire;

import dev.tributary.graph.Graph;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;

/**
 * The ops of a graph message that are neither registered nor functions of the message, and the
 * nodes that cannot run for want of them. Nodes of a function that none of its results needs do not
 * count. Immutable.
 *
 * <pre>{@code
 * UnknownOps unknown = UnknownOps.of(graph, def);
 * GraphDefs.importInto(graph, unknown.runnable());
 * }</pre>
 */
public final class UnknownOps {
  private static final int MOST_IN_TEXT = 20;

  /**
   * A node whose op is unknown.
   *
   * @param function the function that has the node in its body; empty if it is a node of the graph
   */
  public record Use(String op, String node, Optional<String> function) {
    private String place() {
      return "'" + node + "'" + function.map(name -> " of function '" + name + "'").orElse("");
    }
  }

  private final GraphDef def;
  private final Predicate<String> isUnknown;
  private final Map<String, NodeDef> nodes = new LinkedHashMap<>();
  private final Map<String, FunctionDef> functions = new LinkedHashMap<>();

  /** The functions that use an unknown op, or call one that does. */
  private final Set<String> unrunnableFunctions;

  private final Set<String> unrunnable;

  private UnknownOps(Graph graph, GraphDef def) {
    this.def = def;
    def.getLibrary()
        .getFunctionList()
        .forEach(function -> functions.put(function.getSignature().getName(), function));
    def.getNodeList().forEach(node -> nodes.put(node.getName(), node));
    this.isUnknown = op -> graph.declaration(op).isEmpty() && !functions.containsKey(op);
    this.unrunnableFunctions = unrunnableFunctions();
    this.unrunnable = unrunnableNodes();
  }

  /**
   * Finds the unknown ops of a message.
   *
   * @param graph knows the registered ops, and functions that nodes may call as well
   */
  public static UnknownOps of(Graph graph, GraphDef def) {
    return new UnknownOps(graph, def);
  }

  /** Returns whether every node can be imported. */
  public boolean isEmpty() {
    return unrunnable.isEmpty();
  }

  /** All uses of unknown ops by nodes of the graph and by the functions that they reach. */
  public List<Use> all() {
    return neededBy(nodes.keySet());
  }

  /** The uses of unknown ops that these nodes depend on; names without a node are ignored. */
  public List<Use> neededBy(Collection<String> roots) {
    if (isEmpty()) {
      return List.of();
    }
    Set<Use> uses = new LinkedHashSet<>();
    Set<String> called = new LinkedHashSet<>();
    for (String name : reached(roots)) {
      NodeDef node = nodes.get(name);
      if (isUnknown.test(node.getOp())) {
        uses.add(new Use(node.getOp(), name, Optional.empty()));
      }
      called.addAll(FunctionReferences.of(node));
    }
    Deque<String> open = new ArrayDeque<>(called);
    while (!open.isEmpty()) {
      String name = open.remove();
      if (!unrunnableFunctions.contains(name)) {
        continue;
      }
      for (NodeDef node : neededNodes(functions.get(name))) {
        if (isUnknown.test(node.getOp())) {
          uses.add(new Use(node.getOp(), node.getName(), Optional.of(name)));
        }
        FunctionReferences.of(node).stream().filter(called::add).forEach(open::add);
      }
    }
    return List.copyOf(uses);
  }

  /** The message without the nodes that depend on an unknown op. */
  public GraphDef runnable() {
    return isEmpty() ? def : only(node -> !unrunnable.contains(node.getName()));
  }

  /** The message with those nodes only that these depend on and that depend on no unknown op. */
  public GraphDef runnable(Collection<String> roots) {
    Set<String> reached = reached(roots);
    return only(node -> reached.contains(node.getName()) && !unrunnable.contains(node.getName()));
  }

  /**
   * The ops and how many nodes use each: {@code 'Foo' (3 nodes, first 'a/b'), 'Bar' (node 'c' of
   * function 'f')}.
   */
  public static String describe(Collection<Use> uses) {
    Map<String, List<Use>> byOp =
        uses.stream().collect(Collectors.groupingBy(Use::op, TreeMap::new, Collectors.toList()));
    String shown =
        byOp.entrySet().stream()
            .limit(MOST_IN_TEXT)
            .map(entry -> "'" + entry.getKey() + "' (" + places(entry.getValue()) + ")")
            .collect(Collectors.joining(", "));
    int more = byOp.size() - MOST_IN_TEXT;
    return more > 0 ? shown + " and " + more + " more" : shown;
  }

  private static String places(List<Use> uses) {
    String first = uses.get(0).place();
    return uses.size() == 1 ? "node " + first : uses.size() + " nodes, first " + first;
  }

  /**
   * The nodes of a function that its results do not need and that cannot be made, since their op is
   * unknown or they use such a node.
   */
  static Set<String> dispensable(FunctionDef function, Predicate<String> isUnknown) {
    Set<String> unknown = new HashSet<>();
    function.getNodeDefList().stream()
        .filter(node -> isUnknown.test(node.getOp()))
        .forEach(node -> unknown.add(node.getName()));
    if (unknown.isEmpty()) {
      return Set.of();
    }
    Set<String> left = consumers(function.getNodeDefList(), unknown);
    neededNodes(function).forEach(node -> left.remove(node.getName()));
    return left;
  }

  private GraphDef only(Predicate<NodeDef> wanted) {
    GraphDef.Builder part = def.toBuilder().clearNode();
    def.getNodeList().stream().filter(wanted).forEach(part::addNode);
    return part.build();
  }

  private Set<String> reached(Collection<String> roots) {
    Set<String> reached = new LinkedHashSet<>();
    Deque<String> open = new ArrayDeque<>();
    roots.stream().filter(nodes::containsKey).filter(reached::add).forEach(open::add);
    while (!open.isEmpty()) {
      for (String input : nodes.get(open.remove()).getInputList()) {
        String source = sourceOf(input);
        if (nodes.containsKey(source) && reached.add(source)) {
          open.add(source);
        }
      }
    }
    return reached;
  }

  private Set<String> unrunnableFunctions() {
    Map<String, List<String>> callers = new HashMap<>();
    Deque<String> open = new ArrayDeque<>();
    Set<String> found = new HashSet<>();
    functions.forEach(
        (name, function) -> {
          for (NodeDef node : neededNodes(function)) {
            if (isUnknown.test(node.getOp()) && found.add(name)) {
              open.add(name);
            }
            for (String called : FunctionReferences.of(node)) {
              callers.computeIfAbsent(called, key -> new ArrayList<>()).add(name);
            }
          }
        });
    while (!open.isEmpty()) {
      callers.getOrDefault(open.remove(), List.of()).stream().filter(found::add).forEach(open::add);
    }
    return found;
  }

  private Set<String> unrunnableNodes() {
    Set<String> first = new HashSet<>();
    for (NodeDef node : def.getNodeList()) {
      boolean callsUnrunnable =
          !unrunnableFunctions.isEmpty()
              && FunctionReferences.of(node).stream().anyMatch(unrunnableFunctions::contains);
      if (callsUnrunnable || isUnknown.test(node.getOp())) {
        first.add(node.getName());
      }
    }
    return first.isEmpty() ? Set.of() : consumers(def.getNodeList(), first);
  }

  /** These nodes and all that depend on them. */
  private static Set<String> consumers(List<NodeDef> nodes, Set<String> first) {
    Map<String, List<String>> users = new HashMap<>();
    for (NodeDef node : nodes) {
      for (String input : node.getInputList()) {
        users.computeIfAbsent(sourceOf(input), key -> new ArrayList<>()).add(node.getName());
      }
    }
    Set<String> found = new HashSet<>(first);
    Deque<String> open = new ArrayDeque<>(first);
    while (!open.isEmpty()) {
      users.getOrDefault(open.remove(), List.of()).stream().filter(found::add).forEach(open::add);
    }
    return found;
  }

  /** The nodes that the results and control results of a function depend on. */
  private static Collection<NodeDef> neededNodes(FunctionDef function) {
    Map<String, NodeDef> body = new HashMap<>();
    function.getNodeDefList().forEach(node -> body.put(node.getName(), node));
    Map<String, NodeDef> needed = new LinkedHashMap<>();
    Deque<String> open = new ArrayDeque<>();
    function.getRetMap().values().forEach(value -> open.add(sourceOf(value)));
    open.addAll(function.getControlRetMap().values());
    while (!open.isEmpty()) {
      NodeDef node = body.get(open.remove());
      if (node != null && needed.put(node.getName(), node) == null) {
        node.getInputList().forEach(input -> open.add(sourceOf(input)));
      }
    }
    return needed.values();
  }

  /** The node of an input, as graphs write it and as functions do. */
  private static String sourceOf(String input) {
    String name = input.startsWith("^") ? input.substring(1) : input;
    int colon = name.indexOf(':');
    return colon < 0 ? name : name.substring(0, colon);
  }
}
