package dev.tributary.internal.flow;

import dev.tributary.graph.FlowContext;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import java.util.List;
import java.util.Optional;

/**
 * One branch of a cond. Values from outside enter through a Switch on the predicate, so they are
 * dead when the other branch is taken, and with them all that is computed from them. Confined to
 * the thread that builds the graph.
 */
public final class CondContext implements FlowContext {
  private final Scope inside;
  private final Optional<FlowContext> outer;
  private final Output predicate;
  private final boolean branch;
  private final Operation pivot;
  private final Captures captures;
  private List<Output> results = List.of();
  private Optional<Cond> cond = Optional.empty();

  CondContext(Scope around, Output predicate, boolean branch, Operation pivot, Recall recall) {
    this.inside = around.withFlowContext(Optional.of(this));
    this.outer = around.flowContext();
    this.predicate = predicate;
    this.branch = branch;
    this.pivot = pivot;
    this.captures = new Captures(this, inside, recall, this::enter);
  }

  /** Returns where operations of this branch are made. */
  public Scope scope() {
    return inside;
  }

  /** The predicate, as seen around the cond. */
  public Output predicate() {
    return predicate;
  }

  /** Returns whether this is the branch for true. */
  public boolean branch() {
    return branch;
  }

  /** The values that have entered the branch so far. */
  public List<Capture> captured() {
    return captures.all();
  }

  /** The values that go to the Merges. */
  public List<Output> results() {
    return results;
  }

  /** The cond of which this is a branch, once it is finished. */
  public Optional<Cond> cond() {
    return cond;
  }

  void join(Cond finished) {
    cond = Optional.of(finished);
  }

  void finish(List<Output> values) {
    results = values.stream().map(v -> capture(v, pivot.name())).toList();
  }

  @Override
  public Optional<FlowContext> outer() {
    return outer;
  }

  @Override
  public Output capture(Output value, String consumer) {
    return captures.capture(value, consumer);
  }

  @Override
  public Operation captureControl(Operation operation, String consumer) {
    if (encloses(operation) || outer.isEmpty()) {
      return operation;
    }
    return outer.get().captureControl(operation, consumer);
  }

  @Override
  public Optional<Operation> pivotFor(List<Output> inputs, List<Operation> controlInputs) {
    boolean held =
        inputs.stream().anyMatch(i -> encloses(i.operation()))
            || controlInputs.stream().anyMatch(this::encloses);
    return held ? Optional.empty() : Optional.of(pivot);
  }

  @Override
  public String toString() {
    return "the " + branch + " branch of the cond on " + predicate.name();
  }

  private Output enter(Output outside, String consumer) {
    return FlowNodes.switchOn(
            inside.withoutPrefix().withName(consumer + "/Switch"), outer, outside, predicate)
        .output(branch ? 1 : 0);
  }
}
