package dev.tributary.train.replica;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How the chief knows which workers are there and what they have brought.
 *
 * @param own which of the workers the chief is
 * @param beats how often each worker has said that it is alive
 * @param clocks the step for which each has brought gradients last
 * @param step the global step, read after {@code clocks}
 * @param counts how many gradients each accumulator has
 * @param stepAfterCounts the global step, read after {@code counts}
 * @param tokens how many tokens {@code repeat} gives to each worker; to be fed
 * @param repeat asks for gradients of the same step again
 */
record AttendanceOperations(
    Replicas replicas,
    Liveness liveness,
    int own,
    Output beats,
    Output clocks,
    Output step,
    List<Output> counts,
    Output stepAfterCounts,
    Output tokens,
    Operation repeat)
    implements RosterOperations {
  AttendanceOperations {
    counts = List.copyOf(counts);
  }

  @Override
  public Roster in(Session session) {
    return new LiveRoster(this, session);
  }

  @Override
  public String missing(Session session) {
    try (StepResult seen = session.runner().fetch(clocks).fetch(step).run()) {
      long[] brought = seen.get(0).toLongs();
      long now = seen.get(1).getIndex(0);
      List<Integer> workers =
          IntStream.range(0, brought.length).filter(i -> brought[i] < now).boxed().toList();
      return workers.isEmpty()
          ? "all workers have brought their gradients, but the chief has not applied them"
          : "no gradients from workers " + workers;
    }
  }
}
