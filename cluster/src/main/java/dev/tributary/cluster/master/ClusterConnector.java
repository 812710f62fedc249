package dev.tributary.cluster.master;

import dev.tributary.cluster.protocol.Workers;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import org.tensorflow.proto.ClusterDef;

/** Reaches clusters that clients describe, rather than the one the server was started for. */
@FunctionalInterface
public interface ClusterConnector {
  /** The workers of such a cluster; whoever connected closes it. */
  record Connection(Workers workers, Runnable closing) {}

  /**
   * Connects to a cluster as its task {@code self}, which is this server; INVALID_ARGUMENT if it
   * cannot be, since it listens elsewhere.
   */
  Connection connect(ClusterDef cluster, TaskName self);

  /** For servers that know one cluster only. */
  static ClusterConnector none() {
    return (cluster, self) -> {
      throw TributaryException.unimplemented(
          "this server does not take part in clusters that clients describe");
    };
  }
}
