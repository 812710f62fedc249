package dev.tributary.cluster.internal.protocol;

import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.GraphDef;

/**
 * A partition for a worker.
 *
 * @param createWorkerSessionCalled whether the session was opened; if not, the worker's own one is
 *     meant
 * @param graph every node with its full device name
 * @param graphBytes its size as a message
 * @param config the session's settings, graph options among them
 */
public record RegisterGraphRequest(
    String sessionHandle,
    boolean createWorkerSessionCalled,
    GraphDef graph,
    long graphBytes,
    ConfigProto config,
    long collectiveGraphKey) {
  public RegisterGraphRequest(
      String sessionHandle,
      boolean createWorkerSessionCalled,
      GraphDef graph,
      ConfigProto config,
      long collectiveGraphKey) {
    this(
        sessionHandle,
        createWorkerSessionCalled,
        graph,
        graph.getSerializedSize(),
        config,
        collectiveGraphKey);
  }
}
