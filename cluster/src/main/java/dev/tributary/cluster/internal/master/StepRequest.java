package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.KeyedTensor;
import dev.tributary.cluster.internal.protocol.NamedTensor;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.ExecutorOptions;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.PartialRun;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.tensorflow.proto.RunOptions;

/**
 * What a client wants of one step, or of one piece of a partial one. The tensors are the caller's.
 *
 * @param fetches names, each once
 */
record StepRequest(
    List<NamedTensor> feeds, List<String> fetches, PartialRun partial, RunOptions options) {
  StepRequest {
    Set<String> fed = new HashSet<>();
    for (NamedTensor feed : feeds) {
      if (!fed.add(feed.name())) {
        throw TributaryException.invalidArgument("%s is fed twice", feed.name());
      }
    }
  }

  List<String> feedNames() {
    return feeds.stream().map(NamedTensor::name).toList();
  }

  /** The feeds as the step's rendezvous wants them. */
  List<KeyedTensor> keyedFeeds(Map<String, StepPlan.Feed> ends) {
    List<KeyedTensor> keyed = new ArrayList<>(feeds.size());
    for (NamedTensor feed : feeds) {
      StepPlan.Feed end = ends.get(feed.name());
      Tensor value = feed.tensor();
      if (value.type() != end.type()) {
        throw TributaryException.invalidArgument(
            "%s is fed a %s, wanted a %s",
            feed.name(), value.type().lowerName(), end.type().lowerName());
      }
      keyed.add(new KeyedTensor(end.key(), value));
    }
    return keyed;
  }

  /** Returns where the step's rendezvous has what is fetched. */
  List<RendezvousKey> fetchKeys(Map<String, RendezvousKey> ends) {
    List<RendezvousKey> keys = new ArrayList<>(fetches.size());
    for (String fetch : fetches) {
      keys.add(ends.get(fetch));
    }
    return keys;
  }

  /** What workers are to record. */
  ExecutorOptions executorOptions() {
    boolean traced = options.getTraceLevelValue() != RunOptions.TraceLevel.NO_TRACE_VALUE;
    return traced || options.getOutputPartitionGraphs()
        ? new ExecutorOptions(false, traced, options.getOutputPartitionGraphs())
        : ExecutorOptions.none();
  }
}
