package dev.tributary.cluster.worker;

import dev.tributary.cluster.protocol.CallOptions;
import dev.tributary.cluster.protocol.CreateWorkerSessionRequest;
import dev.tributary.cluster.protocol.LoggingRequest;
import dev.tributary.cluster.protocol.LoggingResponse;
import dev.tributary.cluster.protocol.ReceivedTensor;
import dev.tributary.cluster.protocol.RecvTensorRequest;
import dev.tributary.cluster.protocol.RegisterGraphRequest;
import dev.tributary.cluster.protocol.RunGraphRequest;
import dev.tributary.cluster.protocol.RunGraphResponse;
import dev.tributary.cluster.protocol.TracingRequest;
import dev.tributary.cluster.protocol.WorkerInterface;
import dev.tributary.error.TributaryException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.tensorflow.proto.DeviceAttributes;

/** The worker of one task, in this process. */
public final class Worker implements WorkerInterface, AutoCloseable {
  private final WorkerEnvironment environment;

  public Worker(WorkerEnvironment environment) {
    this.environment = environment;
  }

  @Override
  public CompletableFuture<List<DeviceAttributes>> getStatus(CallOptions options) {
    return CompletableFuture.completedFuture(
        environment.devices().stream().map(LocalDevice::attributes).toList());
  }

  @Override
  public CompletableFuture<Void> createWorkerSession(
      CreateWorkerSessionRequest request, CallOptions options) {
    throw TributaryException.unimplemented("not yet");
  }

  @Override
  public CompletableFuture<Void> deleteWorkerSession(String sessionHandle, CallOptions options) {
    throw TributaryException.unimplemented("not yet");
  }

  @Override
  public CompletableFuture<String> registerGraph(
      RegisterGraphRequest request, CallOptions options) {
    throw TributaryException.unimplemented("not yet");
  }

  @Override
  public CompletableFuture<Void> deregisterGraph(
      String sessionHandle, String graphHandle, CallOptions options) {
    throw TributaryException.unimplemented("not yet");
  }

  @Override
  public CompletableFuture<RunGraphResponse> runGraph(
      RunGraphRequest request, CallOptions options) {
    throw TributaryException.unimplemented("not yet");
  }

  @Override
  public CompletableFuture<Void> cleanupGraph(long stepId, CallOptions options) {
    throw TributaryException.unimplemented("not yet");
  }

  @Override
  public CompletableFuture<Void> cleanupAll(List<String> containers, CallOptions options) {
    throw TributaryException.unimplemented("not yet");
  }

  @Override
  public CompletableFuture<ReceivedTensor> recvTensor(
      RecvTensorRequest request, CallOptions options) {
    throw TributaryException.unimplemented("not yet");
  }

  @Override
  public CompletableFuture<Void> markRecvFinished(long requestId, CallOptions options) {
    throw TributaryException.unimplemented("not yet");
  }

  @Override
  public CompletableFuture<LoggingResponse> logging(LoggingRequest request, CallOptions options) {
    throw TributaryException.unimplemented("not yet");
  }

  @Override
  public CompletableFuture<Void> tracing(TracingRequest request, CallOptions options) {
    throw TributaryException.unimplemented("not yet");
  }

  @Override
  public void close() {}
}
