package dev.tributary.cluster.internal.protocol;

import org.tensorflow.proto.ServerDef;

/** Finds other tasks, in the cluster of this one or in a cluster that a client describes. */
public interface AddressBooks {
  /** The cluster that this task was started in. Stays open for as long as the task. */
  Workers ownCluster();

  /**
   * The cluster of a client, in which {@code server} gives this task its job and number. The caller
   * closes it.
   */
  Workers open(ServerDef server);
}
