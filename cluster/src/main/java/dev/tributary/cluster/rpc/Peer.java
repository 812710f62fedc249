package dev.tributary.cluster.rpc;

import com.google.protobuf.ByteString;
import dev.tributary.cluster.protocol.CallOptions;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Another task, as its clients reach it: one channel, which connects when it is first used and
 * again whenever the connection breaks. Owns the channel, not the threads. Safe for use by many
 * threads.
 */
final class Peer implements AutoCloseable {
  /**
   * How often a task that cannot be reached is tried again. gRPC alone would wait up to 2 minutes.
   */
  private static final Duration RECONNECT = Duration.ofMillis(500);

  private static final long CLOSE_SECONDS = 5;

  private final String name;
  private final RpcThreads threads;
  private final ManagedChannel channel;

  /**
   * @param name what errors call it
   * @param address {@code host:port}
   */
  Peer(String name, String address, RpcThreads threads) {
    this.name = name + " at " + address;
    this.threads = threads;
    this.channel = channel(address, threads);
    reconnect();
  }

  private static ManagedChannel channel(String address, RpcThreads threads) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forTarget("dns:///" + address)
            .usePlaintext()
            .eventLoopGroup(threads.io())
            .channelType(NioSocketChannel.class)
            .executor(threads.calls())
            .offloadExecutor(threads.calls())
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .maxInboundMetadataSize(Sockets.METADATA_BYTES)
            .flowControlWindow(Sockets.FLOW_CONTROL_WINDOW)
            // A message is encoded once and stands on tensors: gRPC must not keep it for later.
            .disableRetry()
            // The tasks of a cluster talk to each other directly.
            .proxyDetector(target -> null)
            .withOption(ChannelOption.SO_KEEPALIVE, true);
    Sockets.PROBES.forEach(builder::withOption);
    return builder.build();
  }

  /**
   * Calls. The request's tensors are held by the caller until the future is done; errors that say
   * that the task could not be reached, or not in time, name it.
   */
  <Q, R> CompletableFuture<R> call(Rpc<Q, R> rpc, Q request, CallOptions options) {
    ByteString message;
    try {
      message = rpc.request().encode().apply(request);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    ClientCall<ByteString, ByteString> call = newCall(rpc, options);
    UnaryResponse<R> response = new UnaryResponse<>(rpc.response(), name);
    Runnable cancel = () -> call.cancel(rpc.name() + " was cancelled", cancellationReason(options));
    call.start(response, new Metadata());
    call.request(1);
    call.sendMessage(message);
    call.halfClose();
    options.cancellation().onCancel(cancel);
    response.future().whenComplete((value, error) -> options.cancellation().forget(cancel));
    return response.future();
  }

  /**
   * A call that stands alone. gRPC would end it together with the one that this thread answers,
   * such as the clean-up after a step together with the step.
   */
  private ClientCall<ByteString, ByteString> newCall(Rpc<?, ?> rpc, CallOptions options) {
    Context before = Context.ROOT.attach();
    try {
      return channel.newCall(
          rpc.method(),
          grpcOptions(options).withExecutor(BriefCalls.executor(rpc.method(), threads.calls())));
    } finally {
      Context.ROOT.detach(before);
    }
  }

  private static Throwable cancellationReason(CallOptions options) {
    return options.cancellation().reason().orElse(null);
  }

  private static io.grpc.CallOptions grpcOptions(CallOptions options) {
    io.grpc.CallOptions grpc = io.grpc.CallOptions.DEFAULT;
    if (options.waitForReady()) {
      grpc = grpc.withWaitForReady();
    }
    return options.timeout().isEmpty()
        ? grpc
        : grpc.withDeadlineAfter(options.timeout().get().toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Cuts gRPC's growing pauses between attempts short for as long as the task is away. */
  private void reconnect() {
    ConnectivityState state = channel.getState(false);
    if (state == ConnectivityState.SHUTDOWN) {
      return;
    }
    if (state == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
      threads.after(RECONNECT, this::reconnect);
    } else {
      channel.notifyWhenStateChanged(state, () -> threads.after(RECONNECT, this::reconnect));
    }
  }

  /** Ends all calls as UNAVAILABLE. */
  @Override
  public void close() {
    channel.shutdownNow();
    try {
      if (!channel.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        throw new TributaryException(
            ErrorCode.DEADLINE_EXCEEDED,
            "the channel to " + name + " did not close within " + CLOSE_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
