package dev.tributary.cluster.internal.protocol;

import dev.tributary.tensor.Tensor;
import java.util.List;

/** One step of a callable; feeds are in the order in which its options name them. */
public record RunCallableRequest(
    String sessionHandle, long callableHandle, List<Tensor> feeds, long requestId) {
  public RunCallableRequest {
    feeds = List.copyOf(feeds);
  }
}
