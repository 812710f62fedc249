package dev.tributary.cluster.internal.protocol;

import org.tensorflow.proto.ServerDef;

/** How a task finds others: by the cluster it was started in, or by one that a client describes. */
public interface AddressBooks {
  /** The cluster that this task was started in. Stays open for as long as the task. */
  Workers ownCluster();

  /**
   * The cluster of a client, in which this task has the job and number that {@code server} tells.
   * The caller closes it.
   */
  Workers open(ServerDef server);
}
