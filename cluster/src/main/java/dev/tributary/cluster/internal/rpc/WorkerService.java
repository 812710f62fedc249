package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.internal.protocol.CreateWorkerSessionRequest;
import dev.tributary.cluster.internal.protocol.CreateWorkerSessionResponse;
import dev.tributary.cluster.internal.protocol.LoggingRequest;
import dev.tributary.cluster.internal.protocol.LoggingResponse;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RecvBufRequest;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.protocol.RegisterGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.cluster.internal.protocol.TracingRequest;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.rpc.GraphMessages.GraphName;
import dev.tributary.cluster.internal.rpc.message.WorkerProto;
import dev.tributary.internal.collective.CollectiveGroup;
import dev.tributary.internal.collective.GroupRequest;
import dev.tributary.internal.collective.InstanceRequest;
import dev.tributary.internal.concurrent.Cancellation;
import io.grpc.ServerServiceDefinition;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.tensorflow.proto.DeviceAttributes;

/** The procedures of a worker, for clients and servers. */
final class WorkerService {
  static final String NAME = "tensorflow.WorkerService";

  static final Rpc<Void, List<DeviceAttributes>> GET_STATUS =
      rpc("GetStatus", Codec.EMPTY, WorkerSessionMessages.STATUS);
  static final Rpc<CreateWorkerSessionRequest, CreateWorkerSessionResponse> CREATE_WORKER_SESSION =
      rpc("CreateWorkerSession", WorkerSessionMessages.CREATE, WorkerSessionMessages.CREATED);
  static final Rpc<String, Void> DELETE_WORKER_SESSION =
      rpc("DeleteWorkerSession", WorkerSessionMessages.DELETE, Codec.EMPTY);
  static final Rpc<RegisterGraphRequest, String> REGISTER_GRAPH =
      rpc("RegisterGraph", GraphMessages.REGISTER, GraphMessages.REGISTERED);
  static final Rpc<GraphName, Void> DEREGISTER_GRAPH =
      rpc("DeregisterGraph", GraphMessages.DEREGISTER, Codec.EMPTY);
  static final Rpc<ErrorsInBody<RunGraphRequest>, Outcome<RunGraphResponse>> RUN_GRAPH =
      rpc("RunGraph", RunGraphMessages.RUN, RunGraphMessages.RAN);
  static final Rpc<Long, Void> CLEANUP_GRAPH =
      rpc("CleanupGraph", GraphMessages.CLEANUP_STEP, Codec.EMPTY);
  static final Rpc<List<String>, Void> CLEANUP_ALL =
      rpc("CleanupAll", GraphMessages.CLEANUP_CONTAINERS, Codec.EMPTY);
  static final Rpc<RecvTensorRequest, ReceivedTensor> RECV_TENSOR =
      rpc("RecvTensor", RecvTensorMessages.REQUEST, RecvTensorMessages.RESPONSE);
  static final Rpc<Long, Void> MARK_RECV_FINISHED =
      rpc("MarkRecvFinished", RecvTensorMessages.MARK_FINISHED, Codec.EMPTY);
  static final Rpc<LoggingRequest, LoggingResponse> LOGGING =
      rpc("Logging", DiagnosticMessages.LOGGING, DiagnosticMessages.LOGGED);
  static final Rpc<TracingRequest, Void> TRACING =
      rpc("Tracing", DiagnosticMessages.TRACING, Codec.EMPTY);

  static final Rpc<RecvBufRequest, ReceivedTensor> RECV_BUF =
      rpc("RecvBuf", RecvBufMessages.REQUEST, RecvBufMessages.RESPONSE);
  static final Rpc<GroupRequest, CollectiveGroup> COMPLETE_GROUP =
      rpc("CompleteGroup", CollectiveMessages.GROUP, CollectiveMessages.COMPLETED_GROUP);
  static final Rpc<InstanceRequest, Integer> COMPLETE_INSTANCE =
      rpc("CompleteInstance", CollectiveMessages.INSTANCE, CollectiveMessages.COMPLETED_INSTANCE);
  static final Rpc<List<Long>, Map<Long, Long>> GET_STEP_SEQUENCE =
      rpc("GetStepSequence", CollectiveMessages.GRAPH_KEYS, CollectiveMessages.STEP_IDS);

  private WorkerService() {}

  static ServerServiceDefinition serving(
      WorkerInterface worker, Cancellation stopping, CallerRules rules, Executor threads) {
    return new RpcService(NAME, WorkerProto.getDescriptor(), stopping, rules, threads)
        .with(GET_STATUS, (nothing, options) -> worker.getStatus(options))
        .with(CREATE_WORKER_SESSION, worker::createWorkerSession)
        .with(DELETE_WORKER_SESSION, worker::deleteWorkerSession)
        .with(REGISTER_GRAPH, worker::registerGraph)
        .with(
            DEREGISTER_GRAPH,
            (graph, options) ->
                worker.deregisterGraph(graph.sessionHandle(), graph.graphHandle(), options))
        .with(RUN_GRAPH, (message, options) -> message.answer(worker::runGraph, options))
        .with(CLEANUP_GRAPH, worker::cleanupGraph)
        .with(CLEANUP_ALL, worker::cleanupAll)
        .with(RECV_TENSOR, worker::recvTensor)
        .with(MARK_RECV_FINISHED, worker::markRecvFinished)
        .with(LOGGING, worker::logging)
        .with(TRACING, worker::tracing)
        .with(RECV_BUF, worker::recvBuf)
        .with(COMPLETE_GROUP, worker::completeGroup)
        .with(COMPLETE_INSTANCE, worker::completeInstance)
        .with(GET_STEP_SEQUENCE, worker::getStepSequence)
        .build();
  }

  private static <Q, R> Rpc<Q, R> rpc(String name, Codec<Q> request, Codec<R> response) {
    return Rpc.of(NAME, name, request, response);
  }
}
