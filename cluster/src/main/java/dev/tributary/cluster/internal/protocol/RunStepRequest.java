package dev.tributary.cluster.internal.protocol;

import java.util.List;
import org.tensorflow.proto.RunOptions;

/**
 * One step of a session.
 *
 * @param feeds names are endpoints, {@code node:index}
 * @param fetches endpoints; the response calls its tensors by the same text
 * @param targets nodes to run without a value
 * @param partialRunHandle the partial run that this is a piece of; empty for a whole step
 * @param requestId identifies repeated requests; 0 if they are not to be detected
 */
public record RunStepRequest(
    String sessionHandle,
    List<NamedTensor> feeds,
    List<String> fetches,
    List<String> targets,
    RunOptions options,
    String partialRunHandle,
    long requestId) {
  public RunStepRequest {
    feeds = List.copyOf(feeds);
    fetches = List.copyOf(fetches);
    targets = List.copyOf(targets);
  }

  public List<String> feedNames() {
    return feeds.stream().map(NamedTensor::name).toList();
  }
}
