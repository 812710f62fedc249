package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.PushTensorRequest;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RecvBufRequest;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.cluster.internal.protocol.StepTransport;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The calls of steps, by gRPC. */
record GrpcSteps(Peer peer) implements StepTransport {
  @Override
  public CompletableFuture<RunGraphResponse> runGraph(
      RunGraphRequest request, CallOptions options) {
    return call(peer, WorkerService.RUN_GRAPH, ErrorsInBody.allowed(request), options)
        .thenApply(Outcome::orThrow);
  }

  @Override
  public CompletableFuture<ReceivedTensor> recvTensor(
      RecvTensorRequest request, CallOptions options) {
    return call(peer, WorkerService.RECV_TENSOR, request, options);
  }

  @Override
  public CompletableFuture<ReceivedTensor> recvBuf(RecvBufRequest request, CallOptions options) {
    return call(peer, WorkerService.RECV_BUF, request, options);
  }

  @Override
  public CompletableFuture<Void> pushTensor(PushTensorRequest request, CallOptions options) {
    return call(peer, TaskService.PUSH_TENSOR, request, options);
  }

  /**
   * Calls a worker. Its cancelled calls have their reason elsewhere, as for TensorFlow's callers.
   */
  static <Q, R> CompletableFuture<R> call(
      Peer peer, Rpc<Q, R> rpc, Q request, CallOptions options) {
    return peer.call(rpc, request, options)
        .exceptionally(
            thrown -> {
              throw new CompletionException(marked(Statuses.toException(thrown)));
            });
  }

  private static TributaryException marked(TributaryException error) {
    return error.code() == ErrorCode.CANCELLED && !error.derived()
        ? TributaryException.derived(error.code(), error.getMessage(), error.getCause())
        : error;
  }
}
