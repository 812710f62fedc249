package dev.tributary.internal.function;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.library.FunctionBody;
import dev.tributary.internal.op.FlowKind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The operations of a body that every call runs, as far as the end of the call is concerned.
 *
 * @param joined those that the end of the call waits for
 * @param inLoops those in while loops of the body, from which no edge can lead out
 * @param mayBeDead whether some may be on a branch that is not taken
 */
record Effects(Set<Operation> joined, Set<Operation> inLoops, boolean mayBeDead) {
  static Effects of(FunctionBody body) {
    Set<Operation> loops = insideLoops(body);
    Set<Operation> all = body.effects();
    boolean branches = false;
    for (Operation operation : body.graph().operations()) {
      branches |= operation.declaration().flow() == FlowKind.SWITCH;
    }
    Set<Operation> inside = new LinkedHashSet<>(all);
    inside.retainAll(loops);
    all.removeAll(inside);
    return new Effects(all, inside, branches);
  }

  private static Set<Operation> insideLoops(FunctionBody body) {
    boolean hasLoops = false;
    Map<Operation, Set<Operation>> consumers = new HashMap<>();
    for (Operation operation : body.graph().operations()) {
      hasLoops |= operation.declaration().flow() == FlowKind.ENTER;
    }
    Set<Operation> inside = new HashSet<>();
    if (!hasLoops) {
      return inside;
    }
    for (Operation operation : body.graph().operations()) {
      for (Output input : operation.inputs()) {
        consumers.computeIfAbsent(input.operation(), key -> new HashSet<>()).add(operation);
      }
      operation
          .controlInputs()
          .forEach(c -> consumers.computeIfAbsent(c, key -> new HashSet<>()).add(operation));
    }
    // An Exit of an inner loop is inside the outer one. What the walk takes for inside by mistake
    // still runs; only the end of the call does not wait for it.
    for (Operation operation : body.graph().operations()) {
      if (operation.declaration().flow() == FlowKind.ENTER) {
        walk(operation, consumers, inside);
      }
    }
    return inside;
  }

  private static void walk(
      Operation enter, Map<Operation, Set<Operation>> consumers, Set<Operation> inside) {
    Deque<Operation> open = new ArrayDeque<>(List.of(enter));
    while (!open.isEmpty()) {
      Operation operation = open.remove();
      for (Operation consumer : consumers.getOrDefault(operation, Set.of())) {
        if (consumer.declaration().flow() != FlowKind.EXIT && inside.add(consumer)) {
          open.add(consumer);
        }
      }
    }
  }
}
