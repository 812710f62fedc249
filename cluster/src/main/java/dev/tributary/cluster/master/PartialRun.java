package dev.tributary.cluster.master;

import dev.tributary.cluster.protocol.RunGraphRequest;
import dev.tributary.error.TributaryException;
import dev.tributary.step.PreparedStep;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A step that is fed and fetched piece by piece: what of it is still to come. Each feed and each
 * fetch has its turn once. Guarded by its own monitor.
 */
final class PartialRun {
  final long stepId;
  final PreparedStep<RegisteredStep> step;
  final StepScope scope;
  private final Map<String, Set<String>> feedsOfFetches;
  private final Set<String> feeds;
  private final Set<String> fetches;

  PartialRun(long stepId, PreparedStep<RegisteredStep> step, StepScope scope, StepPlan.Ends ends) {
    this.stepId = stepId;
    this.step = step;
    this.scope = scope;
    this.feedsOfFetches = ends.feedsOfFetches();
    this.feeds = new HashSet<>(ends.feeds().keySet());
    this.fetches = new HashSet<>(ends.fetchKeys().keySet());
  }

  /** Takes the next piece; tells whether it is the last. If it is refused, nothing has changed. */
  synchronized RunGraphRequest.PartialRun take(List<String> fed, List<String> fetched) {
    requirePending("feed", feeds, fed);
    requirePending("fetch", fetches, fetched);
    Set<String> unfed = new HashSet<>(feeds);
    fed.forEach(unfed::remove);
    for (String fetch : fetched) {
      for (String feed : feedsOfFetches.get(fetch)) {
        if (unfed.contains(feed)) {
          throw TributaryException.invalidArgument(
              "%s cannot be fetched yet: it depends on %s, which has not been fed", fetch, feed);
        }
      }
    }
    fed.forEach(feeds::remove);
    fetched.forEach(fetches::remove);
    return feeds.isEmpty() && fetches.isEmpty()
        ? RunGraphRequest.PartialRun.LAST
        : RunGraphRequest.PartialRun.MORE_TO_COME;
  }

  private static void requirePending(String kind, Set<String> pending, List<String> names) {
    for (String name : names) {
      if (!pending.contains(name)) {
        throw TributaryException.invalidArgument(
            "%s of the partial run was not set up or has had its turn, left are %s",
            kind + " " + name, pending);
      }
    }
  }
}
