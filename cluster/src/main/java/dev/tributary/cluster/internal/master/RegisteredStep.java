package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.KeyedTensor;
import dev.tributary.cluster.internal.protocol.NamedTensor;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A kind of step that its workers are ready to run. Immutable. */
record RegisteredStep(Ends ends, CollectiveSteps collectives, List<Partition> partitions) {
  /**
   * A worker's part.
   *
   * @param graphHandle the worker's name for it
   * @param client whether fed values come in and fetched ones go out here
   */
  record Partition(TaskName task, WorkerInterface worker, String graphHandle, boolean client) {}

  /** The place of a fed value in the step's rendezvous, and the type that it must have. */
  record Feed(RendezvousKey key, DataType type) {}

  /**
   * The values that get into the step and out of it, by the names that the client has for them.
   *
   * @param fetchKeys the places of fetched values in the step's rendezvous
   * @param feedsOfFetches the feeds that each fetch depends on; only for partial steps
   */
  record Ends(
      Map<String, Feed> feeds,
      Map<String, RendezvousKey> fetchKeys,
      Map<String, Set<String>> feedsOfFetches) {
    Ends {
      feeds = Map.copyOf(feeds);
      fetchKeys = Map.copyOf(fetchKeys);
      feedsOfFetches = Map.copyOf(feedsOfFetches);
    }

    /** Returns the given feeds as the step's rendezvous takes them. */
    List<KeyedTensor> keyedFeeds(List<NamedTensor> given) {
      List<KeyedTensor> keyed = new ArrayList<>(given.size());
      for (NamedTensor feed : given) {
        Feed end = feeds.get(feed.name());
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

    /** Returns the places of these fetches in the step's rendezvous. */
    List<RendezvousKey> fetchKeys(List<String> fetches) {
      List<RendezvousKey> keys = new ArrayList<>(fetches.size());
      for (String fetch : fetches) {
        keys.add(fetchKeys.get(fetch));
      }
      return keys;
    }
  }

  RegisteredStep {
    partitions = List.copyOf(partitions);
  }

  /** Returns the workers that run a part of it. */
  Map<TaskName, WorkerInterface> workers() {
    Map<TaskName, WorkerInterface> workers = new HashMap<>();
    partitions.forEach(partition -> workers.put(partition.task(), partition.worker()));
    return workers;
  }
}
