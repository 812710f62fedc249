package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.cluster.internal.rpc.PeerConnections.LastEnd;
import dev.tributary.cluster.internal.stream.NetworkRoute;
import dev.tributary.cluster.spec.HostAndPort;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.CallScope;
import dev.tributary.internal.time.Timer;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Another task, as its clients reach it: one channel, which connects when it is first used and
 * again whenever the connection breaks. Owns the channel, not the threads. Safe for use by many
 * threads.
 */
final class Peer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Peer.class);

  /** The pause between attempts to reach a task. gRPC alone would wait up to 2 minutes. */
  private static final Duration RECONNECT = Duration.ofMillis(500);

  /** Limits beyond this need not be kept to the millisecond, and need no alarm of their own. */
  private static final Duration LONG = Duration.ofMinutes(1);

  private static final Optional<Duration> NO_LIMIT = Optional.empty();
  private static final long CLOSE_SECONDS = 5;

  private enum Connection {
    NEVER,
    THERE,
    LOST
  }

  private final String name;
  private final HostAndPort address;
  private final RpcThreads threads;
  private final CallerSecurity security;
  private final CallerSecurity.Credentials credentials;
  private final TaskMemory memory;
  private final WaitingCalls waiting = new WaitingCalls();
  private final PeerConnections connections = new PeerConnections(this::heard);
  private final ManagedChannel channel;
  private final Heartbeat heartbeat;
  private volatile Optional<String> lastFailure = Optional.empty();

  /** As the log has it; only {@link #followState} uses it, whose calls follow each other. */
  private Connection connection = Connection.NEVER;

  /**
   * @param name what errors call it
   * @param address {@code host:port}
   * @param memory takes what answers bring
   * @param silenceLimit after how much silence it counts as lost
   */
  Peer(
      String name,
      String address,
      RpcThreads threads,
      CallerSecurity security,
      TaskMemory memory,
      Duration silenceLimit) {
    this.name = name + " at " + address;
    this.address = HostAndPort.parse(address);
    this.threads = threads;
    this.security = security;
    this.credentials = security.towards(this.address);
    this.memory = memory;
    this.channel = channel(this.address, threads, security, this::connect);
    this.heartbeat =
        new Heartbeat(
            this.name,
            threads.timer(),
            silenceLimit,
            () -> ask(CallOptions.defaults().within(silenceLimit)),
            channel::enterIdle);
    reconnect();
    followState();
  }

  private static ManagedChannel channel(
      HostAndPort address,
      RpcThreads threads,
      CallerSecurity security,
      ChannelFactory<Channel> connections) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forTarget(HostNames.target(address))
            .eventLoopGroup(threads.io())
            .channelFactory(connections)
            .executor(threads.calls())
            .offloadExecutor(threads.calls())
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .maxInboundMetadataSize(Sockets.METADATA_BYTES)
            .flowControlWindow(Sockets.FLOW_CONTROL_WINDOW)
            // A message is encoded once and refers to tensors: gRPC must not keep it for later.
            .disableRetry()
            // The tasks of a cluster talk to each other directly.
            .proxyDetector(target -> null)
            .withOption(ChannelOption.SO_KEEPALIVE, true);
    security.applyTo(builder);
    Sockets.PROBES.forEach(builder::withOption);
    return builder.build();
  }

  /**
   * Calls. The request's tensors are held by the caller until the future is done; errors that say
   * that the task could not be reached, or not in time, name it. A task that falls silent ends
   * calls as UNAVAILABLE, other than those that wait for it to come up.
   */
  <Q, R> CompletableFuture<R> call(Rpc<Q, R> rpc, Q request, CallOptions options) {
    return send(rpc, request, options, !options.waitForReady());
  }

  /**
   * Asks for a sign of life, for as long as the options say. FAILED_PRECONDITION if something else
   * than a gRPC server listens there.
   */
  CompletableFuture<Void> check(CallOptions options) {
    return ask(options)
        .exceptionallyCompose(thrown -> CompletableFuture.failedFuture(explainCheck(thrown)));
  }

  private CompletableFuture<Void> ask(CallOptions options) {
    return send(Heartbeat.CHECK, null, options, false);
  }

  /** Ends a call that goes another way, should the task fall silent before it is done. */
  void watch(CompletableFuture<?> call, String method, Consumer<TributaryException> end) {
    heartbeat.began(call, method, NO_LIMIT, end);
    call.whenComplete((value, thrown) -> ended(call, thrown));
  }

  private void ended(Object call, Throwable thrown) {
    heartbeat.ended(call, Optional.ofNullable(thrown).map(Statuses::toException));
  }

  private Channel connect() {
    credentials.refresh();
    return connections.newChannel();
  }

  private void heard() {
    if (lastFailure.isPresent()) {
      lastFailure = Optional.empty();
    }
    heartbeat.heard();
  }

  /** The way to the task's stream port. */
  NetworkRoute route() {
    return new NetworkRoute(
        address.host(), security.streamTls().map(tls -> () -> tls.apply(address.host())));
  }

  /** The timer by which the task is watched. */
  Timer timer() {
    return threads.timer();
  }

  /** Returns whether the task has fallen silent. */
  boolean isLost() {
    return heartbeat.isLost();
  }

  /** Returns the time since the task was last heard from; empty if it never was. */
  Optional<Duration> lastHeard() {
    return heartbeat.lastHeard();
  }

  /** Why the last attempt to reach the task failed; empty if it was heard from since. */
  Optional<String> lastFailure() {
    return lastFailure;
  }

  private <Q, R> CompletableFuture<R> send(
      Rpc<Q, R> rpc, Q request, CallOptions options, boolean isWatched) {
    ByteString message;
    try {
      message = rpc.request().encode().apply(request);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    boolean isLong =
        isWatched && options.timeout().isPresent() && options.timeout().get().compareTo(LONG) > 0;
    ClientCall<ByteString, ReceivedMessage> call =
        newCall(rpc, grpcOptions(options.waitForReady(), isLong ? NO_LIMIT : options.timeout()));
    UnaryResponse<R> response =
        new UnaryResponse<>(
            rpc.response(),
            memory.allocator(),
            name,
            BriefCalls.decoders(rpc.method(), threads.calls()));
    CallScope scope =
        new CallScope(
            threads.timer(), reason -> call.cancel(rpc.name() + " was cancelled", reason));
    call.start(response, credentials.headers(rpc.method()));
    call.request(1);
    call.sendMessage(message);
    call.halfClose();
    if (options.waitForReady()) {
      waiting.add(call, response);
    }
    scope.follow(options.cancellation());
    if (isWatched) {
      heartbeat.began(
          response,
          rpc.name(),
          isLong ? options.timeout() : NO_LIMIT,
          reason -> response.end(call, reason));
    }
    // Before what follows, so that a later question when the task was heard includes this answer.
    return response
        .future()
        .whenComplete(
            (value, error) -> {
              scope.close();
              if (error != null) {
                // A call that was refused before all of it had gone: gRPC would keep the rest.
                call.cancel(rpc.name() + " has failed", error);
              }
              ended(response, error);
            });
  }

  /**
   * A call that stands alone. gRPC would end it together with the one that this thread answers,
   * such as the clean-up after a step together with the step.
   */
  private ClientCall<ByteString, ReceivedMessage> newCall(
      Rpc<?, ?> rpc, io.grpc.CallOptions options) {
    Context before = Context.ROOT.attach();
    try {
      return channel.newCall(
          rpc.method(), options.withExecutor(BriefCalls.executor(rpc.method(), threads.calls())));
    } finally {
      Context.ROOT.detach(before);
    }
  }

  private static io.grpc.CallOptions grpcOptions(boolean waitForReady, Optional<Duration> limit) {
    io.grpc.CallOptions grpc = io.grpc.CallOptions.DEFAULT;
    if (waitForReady) {
      grpc = grpc.withWaitForReady();
    }
    return limit.isEmpty()
        ? grpc
        : grpc.withDeadlineAfter(limit.get().toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Cuts gRPC's growing pauses between attempts short for as long as the task is away. */
  private void reconnect() {
    ConnectivityState state = channel.getState(false);
    if (state == ConnectivityState.SHUTDOWN) {
      return;
    }
    if (state == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
      failWaitingCalls();
      threads.timer().after(RECONNECT, this::reconnect);
    } else {
      channel.notifyWhenStateChanged(
          state, () -> threads.timer().after(RECONNECT, this::reconnect));
    }
  }

  /** Follows the state without a pause: also a connection that is lost at once was there. */
  private void followState() {
    ConnectivityState state = channel.getState(false);
    logChange(state);
    if (state != ConnectivityState.SHUTDOWN) {
      channel.notifyWhenStateChanged(state, this::followState);
    }
  }

  private void logChange(ConnectivityState state) {
    if (state == ConnectivityState.TRANSIENT_FAILURE && connection == Connection.THERE) {
      connection = Connection.LOST;
      LOG.warn("{}: the connection is lost", name);
    } else if (state == ConnectivityState.READY && connection != Connection.THERE) {
      if (connection == Connection.LOST) {
        LOG.info("{}: the connection is there again", name);
      }
      connection = Connection.THERE;
    }
  }

  /**
   * Fails the calls that wait for a connection if the other side does not accept this task; they
   * would wait until their deadlines. A check that does not wait finds out the reason.
   */
  private void failWaitingCalls() {
    if (waiting.isEmpty()) {
      return;
    }
    check(CallOptions.defaults().within(RECONNECT))
        .whenComplete(
            (healthy, thrown) -> {
              if (thrown != null) {
                TributaryException failure = Statuses.toException(thrown);
                lastFailure = Optional.of(withoutName(failure).getMessage());
                if (failure.code() == ErrorCode.UNAUTHENTICATED
                    || failure.code() == ErrorCode.FAILED_PRECONDITION) {
                  waiting.refuse(failure);
                }
              }
            });
  }

  /**
   * A better reason for a failed call, if there is one: a server that wants TLS does not tell those
   * who come without. Takes up to a second then, so it is not for the calls of steps.
   */
  TributaryException explain(Throwable thrown) {
    TributaryException failure = Statuses.toException(thrown);
    boolean cutOff =
        wasConnected(failure)
            && (connections.lastEnd() == LastEnd.WITHOUT_ANSWER
                || connections.lastEnd() == LastEnd.FOREIGN_ANSWER);
    return cutOff && security.tls().isEmpty() && TlsProbe.speaksTls(address)
        ? new TributaryException(
            ErrorCode.UNAUTHENTICATED,
            name
                + ": it wants TLS and got plain text; give its certificates (--tls or"
                + " --mutual-tls)",
            failure)
        : failure;
  }

  /** The same for a check, which also finds servers that do not speak gRPC. */
  private TributaryException explainCheck(Throwable thrown) {
    TributaryException failure = explain(thrown);
    LastEnd lastEnd = connections.lastEnd();
    if (failure.getCause() instanceof NotGrpcException
        || wasConnected(failure) && lastEnd == LastEnd.FOREIGN_ANSWER) {
      return new TributaryException(
          ErrorCode.FAILED_PRECONDITION,
          name + ": the server there does not speak gRPC; check host and port");
    }
    return wasConnected(failure) && lastEnd != LastEnd.NONE
        ? new TributaryException(failure.code(), name + ": the other side closed the connection")
        : failure;
  }

  /** Returns whether a call may have failed with a connection that had been made. */
  private static boolean wasConnected(TributaryException failure) {
    return (failure.code() == ErrorCode.UNAVAILABLE || failure.code() == ErrorCode.INTERNAL)
        && ConnectFailures.reason(failure.getCause()).isEmpty();
  }

  /** A failure for callers that name the task themselves; without gRPC's exceptions. */
  TributaryException withoutName(TributaryException failure) {
    String text = failure.getMessage();
    return new TributaryException(
        failure.code(), text.startsWith(name + ": ") ? text.substring(name.length() + 2) : text);
  }

  /** Ends all calls as UNAVAILABLE. */
  @Override
  public void close() {
    heartbeat.close();
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
