package dev.tributary.graph.wire;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.library.FunctionDefinition;
import dev.tributary.internal.library.FunctionLibrary;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.FunctionDefLibrary;
import org.tensorflow.proto.GradientDef;
import org.tensorflow.proto.NameAttrList;
import org.tensorflow.proto.NodeDef;

/** Finds which functions nodes and functions refer to. */
final class FunctionReferences {
  /** Functions with the same value of this attribute may stand for each other. */
  private static final String INTERCHANGEABLE = "api_implements";

  /** More would end in a stack overflow when the calls are expanded. */
  private static final int DEEPEST = 200;

  private FunctionReferences() {}

  /**
   * Returns the functions that these nodes reach: by their ops, by their attributes, through the
   * bodies of such functions, as their gradients, and those which may stand for one of them.
   */
  static FunctionDefLibrary reachable(Collection<NodeDef> nodes, FunctionLibrary library) {
    Deque<String> open = new ArrayDeque<>();
    if (library.size() > 0) {
      nodes.forEach(node -> open.addAll(of(node)));
    }
    if (open.stream().noneMatch(name -> library.find(name).isPresent())) {
      return FunctionDefLibrary.getDefaultInstance();
    }
    Map<String, FunctionDef> functions = new LinkedHashMap<>();
    for (FunctionDefinition function : library.functions()) {
      functions.put(function.name(), FunctionDefs.toProto(function));
    }
    Map<String, String> gradients = library.gradients();
    Set<String> reached = new LinkedHashSet<>();
    while (!open.isEmpty()) {
      FunctionDef function = functions.get(open.remove());
      if (function != null && reached.add(function.getSignature().getName())) {
        function.getNodeDefList().forEach(node -> open.addAll(of(node)));
        if (gradients.containsKey(function.getSignature().getName())) {
          open.add(gradients.get(function.getSignature().getName()));
        }
        AttrValue shared = function.getAttrMap().get(INTERCHANGEABLE);
        if (shared != null) {
          functions.values().stream()
              .filter(other -> shared.equals(other.getAttrMap().get(INTERCHANGEABLE)))
              .forEach(other -> open.add(other.getSignature().getName()));
        }
      }
    }
    FunctionDefLibrary.Builder proto = FunctionDefLibrary.newBuilder();
    functions.forEach(
        (name, function) -> {
          if (reached.contains(name)) {
            proto.addFunction(function);
          }
        });
    gradients.forEach(
        (function, gradient) -> {
          if (reached.contains(function)) {
            proto.addGradient(
                GradientDef.newBuilder().setFunctionName(function).setGradientFunc(gradient));
          }
        });
    return proto.build();
  }

  /** Refuses functions that call themselves, at once or through others, or too deep. */
  static void requireNoCycle(Map<String, FunctionDef> functions) {
    Map<String, Integer> depths = new HashMap<>();
    for (String name : functions.keySet()) {
      depth(name, functions, new LinkedHashSet<>(), depths);
    }
  }

  /** Returns how deep a function calls others; 0 for what is no function. */
  private static int depth(
      String name,
      Map<String, FunctionDef> functions,
      Set<String> path,
      Map<String, Integer> depths) {
    if (!functions.containsKey(name)) {
      return 0;
    }
    if (depths.containsKey(name)) {
      return depths.get(name);
    }
    if (!path.add(name)) {
      List<String> calls = List.copyOf(path);
      throw TributaryException.invalidArgument(
          "function '%s' calls itself: %s -> %s; recursion cannot run",
          name, String.join(" -> ", calls.subList(calls.indexOf(name), calls.size())), name);
    }
    requireShallow(path.size(), path);
    Set<String> called = new LinkedHashSet<>();
    functions.get(name).getNodeDefList().forEach(node -> called.addAll(of(node)));
    int deepest = 0;
    for (String other : called) {
      deepest = Math.max(deepest, depth(other, functions, path, depths));
    }
    requireShallow(deepest + 1, path);
    path.remove(name);
    depths.put(name, deepest + 1);
    return deepest + 1;
  }

  private static void requireShallow(int depth, Set<String> path) {
    if (depth > DEEPEST) {
      List<String> first = path.stream().limit(3).toList();
      throw TributaryException.invalidArgument(
          "functions call each other more than %d deep: %s -> ...; call fewer levels of functions",
          DEEPEST, String.join(" -> ", first));
    }
  }

  /** Everything that may be the name of a function. */
  static Set<String> of(NodeDef node) {
    Set<String> names = new LinkedHashSet<>();
    names.add(node.getOp());
    node.getAttrMap().values().forEach(value -> collect(value, names));
    return names;
  }

  private static void collect(AttrValue value, Set<String> names) {
    if (value.hasFunc()) {
      collect(value.getFunc(), names);
    } else if (value.hasList()) {
      value.getList().getFuncList().forEach(function -> collect(function, names));
    }
  }

  private static void collect(NameAttrList function, Set<String> names) {
    names.add(function.getName());
    function.getAttrMap().values().forEach(value -> collect(value, names));
  }
}
