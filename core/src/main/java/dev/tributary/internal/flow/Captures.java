package dev.tributary.internal.flow;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.FlowContext;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The values that a context has captured so far, each once. Values from far outside enter the
 * contexts around it first.
 */
final class Captures {
  /** Makes the operation through which a value of the context just outside enters. */
  interface Entrance {
    Output enter(Output outside, String consumer);
  }

  private final FlowContext owner;
  private final Scope inside;
  private final Recall recall;
  private final Entrance entrance;
  private final Map<Output, Output> entered = new LinkedHashMap<>();
  private final Map<Output, Output> recalled = new HashMap<>();

  Captures(FlowContext owner, Scope inside, Recall recall, Entrance entrance) {
    this.owner = owner;
    this.inside = inside;
    this.recall = recall;
    this.entrance = entrance;
  }

  Output capture(Output value, String consumer) {
    if (value.operation().flowContext().filter(home -> home == owner).isPresent()) {
      return value;
    }
    Output known = recalled.get(value);
    if (known != null) {
      return known;
    }
    if (owner.encloses(value.operation())) {
      throw TributaryException.invalidArgument(
          "%s is made in %s and cannot be used outside of it",
          value, value.operation().flowContext().get());
    }
    Optional<Output> fromForward = recall.recall(value, inside, consumer);
    if (fromForward.isPresent()) {
      recalled.put(value, fromForward.get());
      return fromForward.get();
    }
    Output outside = outside(value, consumer);
    Output found = entered.get(outside);
    if (found == null) {
      found = entrance.enter(outside, consumer);
      entered.put(outside, found);
    }
    return found;
  }

  /** The values that have entered so far, in that order. */
  List<Capture> all() {
    List<Capture> all = new ArrayList<>();
    entered.forEach((outer, inner) -> all.add(new Capture(outer, inner)));
    return all;
  }

  private Output outside(Output value, String consumer) {
    if (owner.outer().isPresent()) {
      return owner.outer().get().capture(value, consumer);
    }
    value
        .operation()
        .flowContext()
        .ifPresent(
            home -> {
              throw TributaryException.invalidArgument(
                  "%s is made in %s and cannot be used in %s", value, home, owner);
            });
    return value;
  }
}
