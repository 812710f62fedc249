package dev.tributary.internal.flow;

import dev.tributary.graph.Output;
import java.util.List;

/**
 * A finished cond: its two branches and the Merges that join them, whose first outputs are its
 * results.
 */
public record Cond(CondContext whenTrue, CondContext whenFalse, List<Output> results) {
  public Cond {
    results = List.copyOf(results);
  }

  public CondContext branch(boolean which) {
    return which ? whenTrue : whenFalse;
  }
}
