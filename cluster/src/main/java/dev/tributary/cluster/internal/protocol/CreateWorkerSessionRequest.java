package dev.tributary.cluster.internal.protocol;

import java.util.List;
import org.tensorflow.proto.DeviceAttributes;
import org.tensorflow.proto.ServerDef;

/**
 * Opens a session on a worker.
 *
 * @param serverDef the cluster as the client gave it, and the worker's place there; without jobs,
 *     the worker's own holds
 * @param isolateSessionState whether the session has variables of its own
 * @param clusterDevices the devices of the whole cluster, if the session shares them
 * @param masterTask the task of the master; empty if it does not tell
 * @param masterIncarnation which life of the master's process this is
 */
public record CreateWorkerSessionRequest(
    String sessionHandle,
    ServerDef serverDef,
    boolean isolateSessionState,
    List<DeviceAttributes> clusterDevices,
    String masterTask,
    long masterIncarnation) {
  public CreateWorkerSessionRequest {
    clusterDevices = List.copyOf(clusterDevices);
  }
}
