package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.CreateWorkerSessionRequest;
import dev.tributary.cluster.internal.protocol.CreateWorkerSessionResponse;
import dev.tributary.cluster.internal.protocol.LoggingRequest;
import dev.tributary.cluster.internal.protocol.LoggingResponse;
import dev.tributary.cluster.internal.protocol.PushTensorRequest;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.protocol.RegisterGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.cluster.internal.protocol.TracingRequest;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.spec.TaskName;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.tensorflow.proto.DeviceAttributes;

/** A worker at the other end of a {@link Wire}. */
record WiredWorker(TaskName task, Supplier<WorkerInterface> worker, Supplier<Wire> wire)
    implements WorkerInterface {
  @Override
  public CompletableFuture<List<DeviceAttributes>> getStatus(CallOptions options) {
    return call("GetStatus", options, () -> worker.get().getStatus(options));
  }

  @Override
  public CompletableFuture<CreateWorkerSessionResponse> createWorkerSession(
      CreateWorkerSessionRequest request, CallOptions options) {
    return call(
        "CreateWorkerSession", options, () -> worker.get().createWorkerSession(request, options));
  }

  @Override
  public CompletableFuture<Void> deleteWorkerSession(String sessionHandle, CallOptions options) {
    return call(
        "DeleteWorkerSession",
        options,
        () -> worker.get().deleteWorkerSession(sessionHandle, options));
  }

  @Override
  public CompletableFuture<String> registerGraph(
      RegisterGraphRequest request, CallOptions options) {
    return call("RegisterGraph", options, () -> worker.get().registerGraph(request, options));
  }

  @Override
  public CompletableFuture<Void> deregisterGraph(
      String sessionHandle, String graphHandle, CallOptions options) {
    return call(
        "DeregisterGraph",
        options,
        () -> worker.get().deregisterGraph(sessionHandle, graphHandle, options));
  }

  @Override
  public CompletableFuture<RunGraphResponse> runGraph(
      RunGraphRequest request, CallOptions options) {
    return call("RunGraph", options, () -> worker.get().runGraph(request, options));
  }

  @Override
  public CompletableFuture<Void> cleanupGraph(long stepId, CallOptions options) {
    return call("CleanupGraph", options, () -> worker.get().cleanupGraph(stepId, options));
  }

  @Override
  public CompletableFuture<Void> cleanupAll(List<String> containers, CallOptions options) {
    return call("CleanupAll", options, () -> worker.get().cleanupAll(containers, options));
  }

  @Override
  public CompletableFuture<ReceivedTensor> recvTensor(
      RecvTensorRequest request, CallOptions options) {
    return call("RecvTensor", options, () -> worker.get().recvTensor(request, options));
  }

  @Override
  public CompletableFuture<Void> pushTensor(PushTensorRequest request, CallOptions options) {
    return call("PushTensor", options, () -> worker.get().pushTensor(request, options));
  }

  @Override
  public CompletableFuture<Void> markRecvFinished(long requestId, CallOptions options) {
    return call(
        "MarkRecvFinished", options, () -> worker.get().markRecvFinished(requestId, options));
  }

  @Override
  public CompletableFuture<LoggingResponse> logging(LoggingRequest request, CallOptions options) {
    return call("Logging", options, () -> worker.get().logging(request, options));
  }

  @Override
  public CompletableFuture<Void> tracing(TracingRequest request, CallOptions options) {
    return call("Tracing", options, () -> worker.get().tracing(request, options));
  }

  private <T> CompletableFuture<T> call(
      String method, CallOptions options, Supplier<CompletableFuture<T>> call) {
    return wire.get().call(task, method, options, call);
  }
}
