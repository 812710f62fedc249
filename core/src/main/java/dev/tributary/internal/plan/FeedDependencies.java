package dev.tributary.internal.plan;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.op.OpFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the feeds that fetches depend on. */
public final class FeedDependencies {
  private final Set<Output> feeds;
  private final Set<Output> found = new HashSet<>();
  private final List<Operation> open = new ArrayList<>();

  private FeedDependencies(Set<Output> feeds) {
    this.feeds = feeds;
  }

  /** Returns the feeds of each fetch of a step. */
  public static Map<Output, Set<Output>> of(StepSignature signature) {
    Set<Output> feeds = Set.copyOf(signature.feeds());
    Map<Output, Set<Output>> dependencies = new HashMap<>();
    for (Output fetch : signature.fetches()) {
      dependencies.computeIfAbsent(fetch, key -> new FeedDependencies(feeds).walk(fetch));
    }
    return dependencies;
  }

  private Set<Output> walk(Output fetch) {
    visit(fetch);
    Set<Operation> seen = new HashSet<>();
    while (!open.isEmpty()) {
      Operation operation = open.remove(open.size() - 1);
      if (seen.add(operation)) {
        operation.inputs().forEach(this::visit);
        operation.controlInputs().forEach(this::visitControl);
      }
    }
    return found;
  }

  private void visit(Output output) {
    if (feeds.contains(output)) {
      found.add(output);
    } else {
      open.add(output.operation());
    }
  }

  /**
   * Whoever waits for a placeholder that is fed waits for the value, as the {@link Pruner} has it.
   */
  private void visitControl(Operation operation) {
    if (operation.declaration().has(OpFlag.PLACEHOLDER)) {
      visit(operation.output(0));
    } else {
      open.add(operation);
    }
  }
}
