package dev.tributary.ops;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.library.FunctionLibrary;
import dev.tributary.internal.library.TracedFunction;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * A function that a program defines with {@link Ops#function}. It is traced with the first call for
 * each combination of argument types and shapes: the program builds its body, once, as a function
 * of the graph's library. What it uses of values and variables outside of it is passed along by
 * every call. Guarded by its own monitor.
 */
public final class GraphFunction {
  private record Argument(DataType type, Shape shape) {}

  private final Graph graph;
  private final String name;
  private final BiFunction<Ops, List<Output>, List<Output>> program;

  @GuardedBy("this")
  private final Map<List<Argument>, TracedFunction> traced = new HashMap<>();

  @GuardedBy("this")
  private boolean tracing;

  GraphFunction(Graph graph, String name, BiFunction<Ops, List<Output>, List<Output>> program) {
    this.graph = graph;
    this.name = name;
    this.program = program;
  }

  public String name() {
    return name;
  }

  /** Returns the function of the graph's library for arguments like these. */
  public synchronized TracedFunction traced(List<Output> arguments) {
    List<Argument> key =
        arguments.stream().map(value -> new Argument(value.type(), value.shape())).toList();
    TracedFunction known = traced.get(key);
    if (known != null) {
      return known;
    }
    if (tracing) {
      throw TributaryException.invalidArgument(
          "function '%s' calls itself: recursion cannot run", name);
    }
    tracing = true;
    try {
      TracedFunction made =
          FunctionTracing.trace(
              graph,
              FunctionLibrary.of(graph).freeName(name),
              arguments,
              (scope, values) -> program.apply(new Ops(scope), values));
      FunctionLibrary.add(graph, List.of(made));
      traced.put(key, made);
      return made;
    } finally {
      tracing = false;
    }
  }

  /** Adds a call. */
  List<Output> call(Scope scope, List<Output> arguments) {
    if (FunctionLibrary.of(scope.graph()) != FunctionLibrary.of(graph)) {
      throw TributaryException.invalidArgument(
          "function '%s' belongs to another graph: build both with Ops of the same graph", name);
    }
    TracedFunction function = traced(arguments);
    List<Output> passed = new ArrayList<>(arguments);
    passed.addAll(function.captures());
    List<DataType> results = function.body().results().stream().map(Output::type).toList();
    Operation call =
        scope
            .withName(scope.operationName().orElse(name))
            .operation(
                function.signature().isStateful() ? "StatefulPartitionedCall" : "PartitionedCall")
            .inputList(passed)
            .attr("f", new AttrValue.Function(function.name(), Map.of()))
            .attr("Tout", AttrValue.ofTypes(results))
            .build();
    return call.outputs();
  }
}
