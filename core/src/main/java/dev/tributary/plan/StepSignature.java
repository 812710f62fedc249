package dev.tributary.plan;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import java.util.List;

/**
 * What a kind of step is given and asked for. Steps with equal signatures share one compiled graph.
 */
public record StepSignature(List<Output> feeds, List<Output> fetches, List<Operation> targets) {
  public StepSignature {
    feeds = List.copyOf(feeds);
    fetches = List.copyOf(fetches);
    targets = List.copyOf(targets);
  }
}
