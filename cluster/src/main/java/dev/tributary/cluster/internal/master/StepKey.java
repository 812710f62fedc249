package dev.tributary.cluster.internal.master;

import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.tensorflow.proto.TensorConnection;

/**
 * A kind of step, as the client names it. The order of names makes no difference.
 *
 * @param partial whether the step is fed and fetched piece by piece
 * @param connections tensors that take the place of others
 */
record StepKey(
    List<String> feeds,
    List<String> fetches,
    List<String> targets,
    boolean partial,
    List<TensorConnection> connections) {

  static StepKey of(List<String> feeds, List<String> fetches, List<String> targets) {
    return new StepKey(feeds, fetches, targets, false, List.of());
  }

  StepKey {
    feeds = sorted(feeds);
    fetches = sorted(fetches);
    targets = sorted(targets);
    connections = List.copyOf(connections);
  }

  // As a record has them, which are made by the first call and take it some milliseconds.

  @Override
  public boolean equals(Object other) {
    return other instanceof StepKey that
        && partial == that.partial
        && feeds.equals(that.feeds)
        && fetches.equals(that.fetches)
        && targets.equals(that.targets)
        && connections.equals(that.connections);
  }

  @Override
  public int hashCode() {
    return Objects.hash(feeds, fetches, targets, partial, connections);
  }

  private static List<String> sorted(List<String> names) {
    for (int i = 1; i < names.size(); i++) {
      if (names.get(i - 1).compareTo(names.get(i)) >= 0) {
        return List.copyOf(new TreeSet<>(names));
      }
    }
    return List.copyOf(names);
  }
}
