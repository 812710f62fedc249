package dev.tributary.cluster.rpc;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Calls a server with any bytes on any path, as a client that is not ours might. */
final class RawCalls implements AutoCloseable {
  private final ManagedChannel channel;

  RawCalls(String address) {
    channel = NettyChannelBuilder.forTarget("dns:///" + address).usePlaintext().build();
  }

  ManagedChannel channel() {
    return channel;
  }

  /** What the server answered. */
  ByteString call(String service, String method, ByteString request) {
    return ClientCalls.blockingUnaryCall(
        channel,
        Rpc.of(service, method, Codec.EMPTY, Codec.EMPTY).method(),
        CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS),
        request);
  }

  Status status(String service, String method, ByteString request) {
    try {
      call(service, method, request);
      return Status.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus();
    }
  }

  /** Calls, and tells what the status was. */
  CompletableFuture<Status> start(
      String service, String method, ByteString request, Duration limit) {
    CompletableFuture<Status> closed = new CompletableFuture<>();
    ClientCall<ByteString, ByteString> call =
        channel.newCall(
            Rpc.of(service, method, Codec.EMPTY, Codec.EMPTY).method(),
            CallOptions.DEFAULT.withDeadlineAfter(limit.toNanos(), TimeUnit.NANOSECONDS));
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            closed.complete(status);
          }
        },
        new Metadata());
    call.request(1);
    call.sendMessage(request);
    call.halfClose();
    return closed;
  }

  /** What the server says to a call that ends before it has a request. */
  Status statusWithoutRequest(String service, String method) throws Exception {
    CompletableFuture<Status> closed = new CompletableFuture<>();
    ClientCall<ByteString, ByteString> call =
        channel.newCall(
            Rpc.of(service, method, Codec.EMPTY, Codec.EMPTY).method(), CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            closed.complete(status);
          }
        },
        new Metadata());
    call.request(1);
    call.halfClose();
    return closed.get(20, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws InterruptedException {
    channel.shutdownNow();
    channel.awaitTermination(20, TimeUnit.SECONDS);
  }
}
