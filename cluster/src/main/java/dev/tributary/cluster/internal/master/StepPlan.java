package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.spec.TaskName;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.tensor.DataType;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.tensorflow.proto.GraphDef;

/**
 * What is to be run for a kind of step. Immutable.
 *
 * @param partitions each task's part, in the order of tasks
 */
record StepPlan(Ends ends, Map<TaskName, GraphDef> partitions) {
  /** Where the step's rendezvous has a value that is fed, and what it must be. */
  record Feed(RendezvousKey key, DataType type) {}

  /**
   * How values get into the step and out of it, by the names that the client has for them.
   *
   * @param fetchKeys where the step's rendezvous has the values that are fetched
   * @param feedsOfFetches which feeds each fetch depends on; only for partial steps
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
  }

  StepPlan {
    partitions = Collections.unmodifiableMap(new TreeMap<>(partitions));
  }
}
