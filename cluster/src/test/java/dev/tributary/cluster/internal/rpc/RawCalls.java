package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
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
    // A retry would need the whole request, which gRPC then keeps.
    channel =
        NettyChannelBuilder.forTarget("dns:///" + address).usePlaintext().disableRetry().build();
  }

  ManagedChannel channel() {
    return channel;
  }

  /** What the server answered. */
  ByteString call(String service, String method, ByteString request) {
    return ClientCalls.blockingUnaryCall(
        channel,
        method(service, method),
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

  /** The end of a call: its status, and the last message of the server. */
  record Answer(Status status, ByteString message) {}

  /** Calls, and tells what the status was. */
  CompletableFuture<Status> start(
      String service, String method, ByteString request, Duration limit) {
    return ask(service, method, request, limit).thenApply(Answer::status);
  }

  /** Calls, and tells what came back. */
  CompletableFuture<Answer> ask(String service, String method, ByteString request, Duration limit) {
    CompletableFuture<Answer> closed = new CompletableFuture<>();
    ClientCall<ByteString, ByteString> call =
        channel.newCall(
            method(service, method),
            CallOptions.DEFAULT.withDeadlineAfter(limit.toNanos(), TimeUnit.NANOSECONDS));
    call.start(
        new ClientCall.Listener<>() {
          private ByteString message = ByteString.EMPTY;

          @Override
          public void onMessage(ByteString received) {
            // The bytes are good for the length of this call only.
            message = ByteString.copyFrom(received.toByteArray());
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            closed.complete(new Answer(status, message));
          }
        },
        new Metadata());
    call.request(1);
    call.sendMessage(request);
    call.halfClose();
    // gRPC would keep what has not gone of a request that was refused before.
    return closed.whenComplete((answer, thrown) -> call.cancel("it is over", null));
  }

  /** Resets the stream of a call while its request is on the way. */
  void startAndCancel(String service, String method, ByteString request) {
    ClientCall<ByteString, ByteString> call =
        channel.newCall(method(service, method), CallOptions.DEFAULT);
    call.start(new ClientCall.Listener<>() {}, new Metadata());
    call.request(1);
    call.sendMessage(request);
    call.halfClose(); // gRPC holds the message back until then, and would leak its last buffer.
    call.cancel("on purpose", null);
  }

  /** What the server says to a call that ends before it has a request. */
  Status statusWithoutRequest(String service, String method) throws Exception {
    CompletableFuture<Status> closed = new CompletableFuture<>();
    ClientCall<ByteString, ByteString> call =
        channel.newCall(method(service, method), CallOptions.DEFAULT);
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

  /** Whose requests and answers are left as they are. */
  private static MethodDescriptor<ByteString, ByteString> method(String service, String name) {
    return Rpc.of(service, name, Codec.EMPTY, Codec.EMPTY).method().toBuilder(
            MessageBytes.INSTANCE, MessageBytes.INSTANCE)
        .build();
  }
}
