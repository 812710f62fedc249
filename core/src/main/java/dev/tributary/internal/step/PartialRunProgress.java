package dev.tributary.internal.step;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.TributaryException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The feeds and fetches of a partial run that are still to come. Each has its turn once. Guarded by
 * its own monitor.
 */
public final class PartialRunProgress {
  private final Map<String, Set<String>> feedsOfFetches;

  @GuardedBy("this")
  private final Set<String> feeds;

  @GuardedBy("this")
  private final Set<String> fetches;

  /**
   * @param feedsOfFetches the feeds that each fetch depends on
   */
  public PartialRunProgress(Set<String> feeds, Map<String, Set<String>> feedsOfFetches) {
    this.feedsOfFetches = feedsOfFetches;
    this.feeds = new HashSet<>(feeds);
    this.fetches = new HashSet<>(feedsOfFetches.keySet());
  }

  /** Takes the next piece; returns whether it is the last. If it is refused, nothing changes. */
  public synchronized boolean take(List<String> fed, List<String> fetched) {
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
    return feeds.isEmpty() && fetches.isEmpty();
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
