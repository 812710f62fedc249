package dev.tributary.train.monitored;

import dev.tributary.graph.Output;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Map;

/**
 * What a hook adds to a step. Fed tensors stay the hook's. Immutable.
 *
 * @param fetches whose values {@link SessionRunHook#afterRun} is given, in this order
 */
public record SessionRunArgs(List<Output> fetches, Map<Output, Tensor> feeds) {
  public SessionRunArgs {
    fetches = List.copyOf(fetches);
    feeds = Map.copyOf(feeds);
  }

  public static SessionRunArgs none() {
    return new SessionRunArgs(List.of(), Map.of());
  }

  public static SessionRunArgs fetching(Output... outputs) {
    return new SessionRunArgs(List.of(outputs), Map.of());
  }
}
