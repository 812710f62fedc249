package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.internal.protocol.RegisterGraphRequest;
import dev.tributary.cluster.internal.rpc.message.WorkerProto;
import java.util.List;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.GraphOptions;

/** Messages about the graphs that a worker keeps and what their steps leave behind. */
final class GraphMessages {
  /** A registered graph and the session it belongs to; no session means the worker's own. */
  record GraphName(String sessionHandle, String graphHandle) {}

  static final Codec<RegisterGraphRequest> REGISTER =
      Codec.of(
          WorkerProto.RegisterGraphRequest.getDefaultInstance(),
          request ->
              WorkerProto.RegisterGraphRequest.newBuilder()
                  .setSessionHandle(request.sessionHandle())
                  .setCreateWorkerSessionCalled(request.createWorkerSessionCalled())
                  .setGraphDef(request.graph().toByteString())
                  .setGraphOptions(request.config().getGraphOptions().toByteString())
                  .setConfigProto(request.config().toByteString())
                  .setCollectiveGraphKey(request.collectiveGraphKey())
                  .build(),
          message ->
              new RegisterGraphRequest(
                  message.getSessionHandle(),
                  message.getCreateWorkerSessionCalled(),
                  Wire.copy(GraphDef.getDefaultInstance(), message.getGraphDef()),
                  message.getGraphDef().size(),
                  config(message),
                  message.getCollectiveGraphKey()));

  static final Codec<String> REGISTERED =
      Codec.of(
          WorkerProto.RegisterGraphResponse.getDefaultInstance(),
          handle -> WorkerProto.RegisterGraphResponse.newBuilder().setGraphHandle(handle).build(),
          WorkerProto.RegisterGraphResponse::getGraphHandle);

  static final Codec<GraphName> DEREGISTER =
      Codec.of(
          WorkerProto.DeregisterGraphRequest.getDefaultInstance(),
          graph ->
              WorkerProto.DeregisterGraphRequest.newBuilder()
                  .setSessionHandle(graph.sessionHandle())
                  .setGraphHandle(graph.graphHandle())
                  .setCreateWorkerSessionCalled(!graph.sessionHandle().isEmpty())
                  .build(),
          message ->
              new GraphName(
                  message.getCreateWorkerSessionCalled() ? message.getSessionHandle() : "",
                  message.getGraphHandle()));

  static final Codec<Long> CLEANUP_STEP =
      Codec.of(
          WorkerProto.CleanupGraphRequest.getDefaultInstance(),
          step -> WorkerProto.CleanupGraphRequest.newBuilder().setStepId(step).build(),
          WorkerProto.CleanupGraphRequest::getStepId);

  static final Codec<List<String>> CLEANUP_CONTAINERS =
      Codec.of(
          WorkerProto.CleanupAllRequest.getDefaultInstance(),
          containers ->
              WorkerProto.CleanupAllRequest.newBuilder().addAllContainer(containers).build(),
          message -> List.copyOf(message.getContainerList()));

  private GraphMessages() {}

  /** The session's settings. Masters before 2.1 send only the graph options among them. */
  private static ConfigProto config(WorkerProto.RegisterGraphRequest message) {
    ConfigProto config = Wire.copy(ConfigProto.getDefaultInstance(), message.getConfigProto());
    if (message.getGraphOptions().isEmpty()) {
      return config;
    }
    return config.toBuilder()
        .setGraphOptions(Wire.copy(GraphOptions.getDefaultInstance(), message.getGraphOptions()))
        .build();
  }
}
