package dev.tributary.cluster.internal.master;

import dev.tributary.error.TributaryException;
import java.time.Duration;
import java.util.Optional;
import org.tensorflow.proto.ConfigProto;

/**
 * The settings of a session: what the client asked for, and the server's defaults elsewhere.
 * Immutable.
 *
 * @param proto the form in which workers get them
 */
record SessionConfig(ConfigProto proto, DeviceFilters deviceFilters) {
  static SessionConfig of(ConfigProto defaults, ConfigProto requested) {
    ConfigProto.Builder merged = defaults.toBuilder().mergeFrom(requested);
    if (merged.getUsePerSessionThreads() || merged.getSessionInterOpThreadPoolCount() > 0) {
      throw TributaryException.invalidArgument(
          "a session on a cluster cannot have threads of its own: use_per_session_threads and"
              + " session_inter_op_thread_pool are for local sessions");
    }
    if (merged.getGraphOptions().getPlacePrunedGraph()) {
      // A node must keep its device in all steps, so the graph is placed as a whole.
      merged.getGraphOptionsBuilder().setPlacePrunedGraph(false);
    }
    return new SessionConfig(merged.build(), DeviceFilters.parse(merged.getDeviceFiltersList()));
  }

  boolean softPlacement() {
    return proto.getAllowSoftPlacement();
  }

  /** Returns whether the session has variables that no other session sees. */
  boolean isolated() {
    boolean ownCluster = !proto.hasClusterDef() || proto.getClusterDef().getJobCount() == 0;
    return proto.getIsolateSessionState()
        || !ownCluster && !proto.getExperimental().getShareSessionStateInClusterspecPropagation();
  }

  boolean sharesDevices() {
    return proto.getShareClusterDevicesInSession()
        || proto.getExperimental().getShareClusterDevicesInSession();
  }

  /** Returns the time limit of steps that the client asked for, if it did. */
  Optional<Duration> stepTimeout() {
    long millis = proto.getOperationTimeoutInMs();
    return millis > 0 ? Optional.of(Duration.ofMillis(millis)) : Optional.empty();
  }
}
