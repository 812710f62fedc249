package dev.tributary.gradients;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.library.FunctionLibrary;
import dev.tributary.internal.op.OpFlag;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the calls of functions that a gradient goes through, and replaces each by the operations of
 * its body, with conds and loops in place of functional branches and loops. These are then
 * differentiated like any others. The call itself stays and gives the values of its body.
 */
final class CallInlining {
  private static final Set<OpFlag> CALLS =
      Set.of(
          OpFlag.NATIVE_CALL,
          OpFlag.CALLS_FUNCTION,
          OpFlag.CALLS_ONE_OF_TWO,
          OpFlag.CALLS_ONE_OF_MANY,
          OpFlag.CALLS_IN_LOOP);

  private CallInlining() {}

  /** Inlines all calls on paths from {@code xs} to {@code ys}, those in bodies too. */
  static void between(Graph graph, Collection<Output> ys, Collection<Output> xs) {
    if (FunctionLibrary.of(graph).size() == 0) {
      return;
    }
    List<Operation> found = calls(ys, xs);
    while (!found.isEmpty()) {
      found.forEach(InlinedCall::replace);
      found = calls(ys, xs);
    }
  }

  private static List<Operation> calls(Collection<Output> ys, Collection<Output> xs) {
    Map<Output, Set<Operation>> consumers = consumersBehind(ys);
    Set<Operation> reached = new LinkedHashSet<>();
    Deque<Output> open = new ArrayDeque<>(xs);
    while (!open.isEmpty()) {
      for (Operation consumer : consumers.getOrDefault(open.remove(), Set.of())) {
        if (reached.add(consumer)) {
          open.addAll(consumer.outputs());
        }
      }
    }
    return reached.stream().filter(CallInlining::isCall).toList();
  }

  private static Map<Output, Set<Operation>> consumersBehind(Collection<Output> ys) {
    Map<Output, Set<Operation>> consumers = new HashMap<>();
    Set<Operation> seen = new LinkedHashSet<>();
    Deque<Operation> open = new ArrayDeque<>();
    ys.forEach(y -> open.add(y.operation()));
    while (!open.isEmpty()) {
      Operation operation = open.remove();
      if (seen.add(operation)) {
        for (Output input : operation.inputs()) {
          consumers.computeIfAbsent(input, key -> new LinkedHashSet<>()).add(operation);
          open.add(input.operation());
        }
      }
    }
    return consumers;
  }

  private static boolean isCall(Operation operation) {
    return operation.declaration().flags().stream().anyMatch(CALLS::contains);
  }
}
