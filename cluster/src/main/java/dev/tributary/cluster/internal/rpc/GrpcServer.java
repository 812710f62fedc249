package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.stream.StreamOffer;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.security.ChannelSecurity;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionService;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Serves a master and a worker at one port, on the paths that TensorFlow dials, with gRPC's health
 * and reflection services beside them, to those whom the settings let in. The master and the worker
 * stay their owner's. Safe for use by many threads.
 */
public final class GrpcServer implements AutoCloseable {
  /** Set up with the first server of the process, and held. */
  private static final ConnectionLog CONNECTION_LOG =
      new ConnectionLog(NettyServerBuilder.class.getPackageName());

  private static final Duration GRACE = Duration.ofSeconds(1);
  private static final long STOP_SECONDS = 5;

  /** The timeout of a caller's handshake. */
  private static final Duration HANDSHAKE = Duration.ofSeconds(20);

  private final RpcThreads threads;
  private final HealthStatusManager health;
  private final Cancellation stopping;
  private final Server server;
  private final Runnable onClose;

  private GrpcServer(
      RpcThreads threads,
      HealthStatusManager health,
      Cancellation stopping,
      Server server,
      Runnable onClose) {
    this.threads = threads;
    this.health = health;
    this.stopping = stopping;
    this.server = server;
    this.onClose = onClose;
  }

  /** Serves anybody, in plain text, without a stream for tensors. */
  public static GrpcServer start(
      InetSocketAddress address, MasterInterface master, WorkerInterface worker) {
    return start(address, master, worker, CallerRules.none(), Optional.empty());
  }

  /**
   * Begins to serve; port 0 takes any free one. An address that cannot be had is
   * FAILED_PRECONDITION.
   *
   * @param streams what callers are told if they ask for ways past gRPC
   */
  public static GrpcServer start(
      InetSocketAddress address,
      MasterInterface master,
      WorkerInterface worker,
      CallerRules rules,
      Optional<Supplier<StreamOffer>> streams) {
    return start(
        address,
        master,
        worker,
        rules,
        streams,
        LocalCallers::ofSystem,
        LocalTokens.ofUser(),
        ConnectionLimits.of(rules.limits()));
  }

  static GrpcServer start(
      InetSocketAddress address,
      MasterInterface master,
      WorkerInterface worker,
      CallerRules rules,
      Optional<Supplier<StreamOffer>> streams,
      Supplier<Optional<LocalCallers>> localUsers,
      LocalTokens localTokens,
      ConnectionLimits connections) {
    ChannelSecurity security = rules.security();
    int messageBytes = rules.limits().messageBytes();
    Optional<SslContext> tls = security.tls().map(TlsContexts::ofServer);
    RpcThreads threads = new RpcThreads();
    HealthStatusManager health = new HealthStatusManager();
    Cancellation stopping = new Cancellation();
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(address)
            .bossEventLoopGroup(threads.io())
            .workerEventLoopGroup(threads.io())
            .channelFactory(tls.isPresent() ? RefusedHandshakes::new : NioServerSocketChannel::new)
            .directExecutor()
            .callExecutor(BriefCalls.executors(threads.calls()))
            .maxInboundMessageSize(messageBytes)
            .maxInboundMetadataSize(Sockets.METADATA_BYTES)
            .flowControlWindow(Sockets.FLOW_CONTROL_WINDOW)
            .handshakeTimeout(HANDSHAKE.toMillis(), TimeUnit.MILLISECONDS)
            .permitKeepAliveTime(1, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .withChildOption(ChannelOption.SO_KEEPALIVE, true)
            .addService(MasterService.serving(master, stopping, rules, threads.calls()))
            .addService(WorkerService.serving(worker, stopping, rules, threads.calls()))
            .addService(TaskService.serving(master, worker, stopping, rules, threads.calls()))
            .addService(health.getHealthService())
            .addService(reflection())
            .addStreamTracerFactory(new IncomingMessages(rules.memory().messages()));
    connections.applyTo(builder);
    if (messageBytes < Integer.MAX_VALUE) {
      builder.addStreamTracerFactory(new LongMessages());
    }
    tls.ifPresent(builder::sslContext);
    Optional<BearerToken> localToken = rules.guard(builder, localUsers, localTokens);
    streams.ifPresent(
        offers ->
            builder.addService(StreamService.offering(offers, stopping, rules, threads.calls())));
    Sockets.PROBES.forEach(builder::withChildOption);
    try {
      // Before anybody can call, unless nobody knows the port yet.
      localToken
          .filter(token -> address.getPort() != 0)
          .ifPresent(token -> localTokens.write(address.getPort(), token));
      Server server = builder.build().start();
      localToken
          .filter(token -> address.getPort() == 0)
          .ifPresent(token -> localTokens.write(server.getPort(), token));
      GrpcServer started =
          new GrpcServer(
              threads,
              health,
              stopping,
              server,
              localToken.isPresent() ? () -> localTokens.remove(server.getPort()) : () -> {});
      started.setServing(true);
      return started;
    } catch (TributaryException e) {
      threads.close();
      throw e;
    } catch (IOException e) {
      threads.close();
      throw new TributaryException(
          ErrorCode.FAILED_PRECONDITION,
          String.format(
              "cannot listen at %s:%d: %s", address.getHostString(), address.getPort(), reason(e)),
          e);
    }
  }

  /** Says by the health service whether steps can run, for the server and for its services. */
  public void setServing(boolean canRun) {
    ServingStatus status = canRun ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
    health.setStatus(MasterService.NAME, status);
    health.setStatus(WorkerService.NAME, status);
  }

  /** The port that it listens at. */
  public int port() {
    return server.getPort();
  }

  /**
   * Takes no more calls, gives those under way a second, ends what is left as UNAVAILABLE, and
   * frees port and threads.
   */
  @Override
  public void close() {
    if (server.isShutdown()) {
      return;
    }
    onClose.run();
    health.enterTerminalState();
    server.shutdown();
    try {
      if (!server.awaitTermination(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
        stopping.cancel(new TributaryException(ErrorCode.UNAVAILABLE, "the server stops"));
        server.awaitTermination(GRACE.toMillis(), TimeUnit.MILLISECONDS);
      }
      server.shutdownNow().awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
    threads.close();
  }

  /** Of protocol version 1 where gRPC has that, which is since 1.66, else its predecessor. */
  @SuppressWarnings("deprecation")
  private static BindableService reflection() {
    try {
      return ProtoReflectionServiceV1.newInstance();
    } catch (NoClassDefFoundError e) {
      return ProtoReflectionService.newInstance();
    }
  }

  private static String reason(IOException e) {
    String text = e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
    return String.valueOf(text).contains("already in use")
        ? "Address already in use; stop the process that has the port, or give the task another one"
            + " in the cluster (--cluster, or --ps_hosts and --worker_hosts)"
        : text;
  }
}
