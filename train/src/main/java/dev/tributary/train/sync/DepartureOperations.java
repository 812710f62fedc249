package dev.tributary.train.sync;

import dev.tributary.graph.Output;
import dev.tributary.session.Session;
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
}
