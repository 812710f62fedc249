package dev.tributary.train.replica;

import dev.tributary.graph.Output;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import java.util.List;

/**
 * How the chief knows which workers have left by their own word.
 *
 * @param departed how many have
 * @param counts how many gradients each accumulator has
 */
record DepartureOperations(Replicas replicas, Output departed, List<Output> counts)
    implements RosterOperations {
  DepartureOperations {
    counts = List.copyOf(counts);
  }

  @Override
  public Roster in(Session session) {
    return new CountedRoster(this, session);
  }

  @Override
  public String missing(Session session) {
    try (StepResult seen = session.runner().fetch(counts).fetch(departed).run()) {
      int left = seen.get(counts.size()).intValue();
      int fewest = Integer.MAX_VALUE;
      for (int i = 0; i < counts.size(); i++) {
        fewest = Math.min(fewest, seen.get(i).intValue());
      }
      return String.format(
          "%d of %d gradients are there, and %d of %d workers have left",
          fewest, replicas.required(left), left, replicas.total());
    }
  }
}
