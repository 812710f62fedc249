package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.CreateWorkerSessionRequest;
import dev.tributary.cluster.internal.protocol.CreateWorkerSessionResponse;
import dev.tributary.cluster.internal.protocol.LoggingRequest;
import dev.tributary.cluster.internal.protocol.LoggingResponse;
import dev.tributary.cluster.internal.protocol.PushTensorRequest;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RecvBufRequest;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.protocol.RegisterGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.cluster.internal.protocol.StepTransport;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.cluster.internal.protocol.TracingRequest;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.rpc.GraphMessages.GraphName;
import dev.tributary.cluster.internal.stream.StreamOffer;
import dev.tributary.cluster.internal.stream.StreamTransport;
import dev.tributary.cluster.internal.stream.StreamUse;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.internal.collective.CollectiveGroup;
import dev.tributary.internal.collective.GroupRequest;
import dev.tributary.internal.collective.InstanceRequest;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.tensorflow.proto.DeviceAttributes;

/** A worker in another process. Owns its channel, and its stream if there is one. */
final class GrpcWorker implements WorkerInterface, AutoCloseable {
  /** The timeout of the question whether a peer offers a stream. */
  private static final Duration OFFER_LIMIT = Duration.ofSeconds(5);

  private final Peer peer;
  private final StepTransport steps;
  private final Optional<StreamTransport> stream;

  /**
   * @param name what errors call the worker
   * @param memory takes what comes through a stream
   * @param streams the offers of streams that the calls of steps use
   */
  GrpcWorker(String name, Peer peer, TaskMemory memory, StreamUse streams) {
    this.peer = peer;
    StepTransport byGrpc = new GrpcSteps(peer);
    this.stream =
        streams.any()
            ? Optional.of(
                new StreamTransport(
                    name,
                    byGrpc,
                    memory,
                    this::openStream,
                    streams.local(),
                    streams.network() ? Optional.of(peer.route()) : Optional.empty(),
                    peer::watch,
                    peer.timer()))
            : Optional.empty();
    this.steps = stream.isPresent() ? stream.get() : byGrpc;
  }

  /** Returns the time since the worker was last heard from; empty if it never was. */
  Optional<Duration> lastHeard() {
    return peer.lastHeard();
  }

  /** Why the last attempt to reach the worker failed; empty if it was heard from since. */
  Optional<String> lastFailure() {
    return peer.lastFailure();
  }

  @Override
  public CompletableFuture<List<DeviceAttributes>> getStatus(CallOptions options) {
    return call(WorkerService.GET_STATUS, null, options);
  }

  @Override
  public CompletableFuture<CreateWorkerSessionResponse> createWorkerSession(
      CreateWorkerSessionRequest request, CallOptions options) {
    stream.ifPresent(StreamTransport::prepare);
    return call(WorkerService.CREATE_WORKER_SESSION, request, options);
  }

  @Override
  public CompletableFuture<Void> deleteWorkerSession(String sessionHandle, CallOptions options) {
    return call(WorkerService.DELETE_WORKER_SESSION, sessionHandle, options);
  }

  @Override
  public CompletableFuture<String> registerGraph(
      RegisterGraphRequest request, CallOptions options) {
    return call(WorkerService.REGISTER_GRAPH, request, options);
  }

  @Override
  public CompletableFuture<Void> deregisterGraph(
      String sessionHandle, String graphHandle, CallOptions options) {
    return call(WorkerService.DEREGISTER_GRAPH, new GraphName(sessionHandle, graphHandle), options);
  }

  @Override
  public CompletableFuture<RunGraphResponse> runGraph(
      RunGraphRequest request, CallOptions options) {
    return steps.runGraph(request, options);
  }

  @Override
  public CompletableFuture<Void> cleanupGraph(long stepId, CallOptions options) {
    return call(WorkerService.CLEANUP_GRAPH, stepId, options);
  }

  @Override
  public CompletableFuture<Void> cleanupAll(List<String> containers, CallOptions options) {
    return call(WorkerService.CLEANUP_ALL, containers, options);
  }

  @Override
  public CompletableFuture<ReceivedTensor> recvTensor(
      RecvTensorRequest request, CallOptions options) {
    return steps.recvTensor(request, options);
  }

  @Override
  public CompletableFuture<ReceivedTensor> recvBuf(RecvBufRequest request, CallOptions options) {
    return steps.recvBuf(request, options);
  }

  @Override
  public CompletableFuture<CollectiveGroup> completeGroup(
      GroupRequest request, CallOptions options) {
    return call(WorkerService.COMPLETE_GROUP, request, options);
  }

  @Override
  public CompletableFuture<Integer> completeInstance(InstanceRequest request, CallOptions options) {
    return call(WorkerService.COMPLETE_INSTANCE, request, options);
  }

  @Override
  public CompletableFuture<Map<Long, Long>> getStepSequence(
      List<Long> graphKeys, CallOptions options) {
    return call(WorkerService.GET_STEP_SEQUENCE, graphKeys, options);
  }

  private CompletableFuture<StreamOffer> openStream() {
    return call(StreamService.OPEN_STREAM, null, CallOptions.defaults().within(OFFER_LIMIT));
  }

  @Override
  public CompletableFuture<Void> pushTensor(PushTensorRequest request, CallOptions options) {
    return steps.pushTensor(request, options);
  }

  @Override
  public Optional<Tensor> allocate(DataType type, Shape shape) {
    return steps.allocate(type, shape);
  }

  @Override
  public CompletableFuture<Void> markRecvFinished(long requestId, CallOptions options) {
    return call(WorkerService.MARK_RECV_FINISHED, requestId, options);
  }

  @Override
  public CompletableFuture<LoggingResponse> logging(LoggingRequest request, CallOptions options) {
    return call(WorkerService.LOGGING, request, options);
  }

  @Override
  public CompletableFuture<Void> tracing(TracingRequest request, CallOptions options) {
    return call(WorkerService.TRACING, request, options);
  }

  @Override
  public CompletableFuture<List<String>> stepWaits(long stepId, CallOptions options) {
    return call(TaskService.STEP_WAITS, stepId, options);
  }

  @Override
  public CompletableFuture<Void> taskCompleted(TaskName task, CallOptions options) {
    return call(TaskService.TASK_COMPLETED, task, options);
  }

  @Override
  public void close() {
    stream.ifPresent(StreamTransport::close);
    peer.close();
  }

  private <Q, R> CompletableFuture<R> call(Rpc<Q, R> rpc, Q request, CallOptions options) {
    return GrpcSteps.call(peer, rpc, request, options);
  }
}
