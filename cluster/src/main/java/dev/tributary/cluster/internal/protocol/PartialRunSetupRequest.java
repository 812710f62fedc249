package dev.tributary.cluster.internal.protocol;

import java.util.List;

/** All that a partial run will ever feed, fetch and run. */
public record PartialRunSetupRequest(
    String sessionHandle,
    List<String> feeds,
    List<String> fetches,
    List<String> targets,
    long requestId) {
  public PartialRunSetupRequest {
    feeds = List.copyOf(feeds);
    fetches = List.copyOf(fetches);
    targets = List.copyOf(targets);
  }
}
