package dev.tributary.gradients;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the operations on a path from some outputs to others along which a gradient can flow. */
final class Reach {
  private final Set<Operation> backward = new HashSet<>();
  private final Set<Operation> operations = new HashSet<>();

  Reach(List<Output> ys, List<Output> xs) {
    Map<Operation, List<Operation>> consumers = new HashMap<>();
    List<Operation> open = new ArrayList<>();
    ys.forEach(y -> open.add(y.operation()));
    while (!open.isEmpty()) {
      Operation operation = open.remove(open.size() - 1);
      if (backward.add(operation)) {
        for (Output input : operation.inputs()) {
          if (carriesGradient(input)) {
            consumers.computeIfAbsent(input.operation(), key -> new ArrayList<>()).add(operation);
            open.add(input.operation());
          }
        }
      }
    }
    xs.forEach(x -> open.add(x.operation()));
    while (!open.isEmpty()) {
      Operation operation = open.remove(open.size() - 1);
      if (backward.contains(operation) && operations.add(operation)) {
        open.addAll(consumers.getOrDefault(operation, List.of()));
      }
    }
  }

  Set<Operation> operations() {
    return operations;
  }

  static boolean carriesGradient(Output output) {
    return output.type().isFloating() || output.type() == DataType.RESOURCE || output.type() == DataType.VARIANT;
  }
}
