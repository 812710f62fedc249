package dev.tributary.cluster.rpc;

import dev.tributary.cluster.protocol.MasterInterface;
import dev.tributary.cluster.protocol.WorkerInterface;
import dev.tributary.cluster.stream.StreamEndpoint;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.kernel.Cancellation;
import dev.tributary.session.ChannelSecurity;
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

  private GrpcServer(
      RpcThreads threads, HealthStatusManager health, Cancellation stopping, Server server) {
    this.threads = threads;
    this.health = health;
    this.stopping = stopping;
    this.server = server;
  }

  /** Serves anybody, in plain text, without a stream for tensors. */
  public static GrpcServer start(
      InetSocketAddress address, MasterInterface master, WorkerInterface worker) {
    return start(
        address, master, worker, ChannelSecurity.none(), Integer.MAX_VALUE, Optional.empty());
  }

  /**
   * Begins to serve; port 0 takes any free one. An address that cannot be had is
   * FAILED_PRECONDITION.
   *
   * @param messageBytes the longest message that is read; a longer one is RESOURCE_EXHAUSTED
   * @param stream what callers are told if they ask where tensors can be had besides
   */
  public static GrpcServer start(
      InetSocketAddress address,
      MasterInterface master,
      WorkerInterface worker,
      ChannelSecurity security,
      int messageBytes,
      Optional<StreamEndpoint> stream) {
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
            .callExecutor(new CallThreads(threads.calls()))
            .maxInboundMessageSize(messageBytes)
            .maxInboundMetadataSize(Sockets.METADATA_BYTES)
            .flowControlWindow(Sockets.FLOW_CONTROL_WINDOW)
            .handshakeTimeout(HANDSHAKE.toMillis(), TimeUnit.MILLISECONDS)
            .permitKeepAliveTime(1, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .withChildOption(ChannelOption.SO_KEEPALIVE, true)
            .addService(MasterService.serving(master, stopping))
            .addService(WorkerService.serving(worker, stopping))
            .addService(TaskService.serving(master, worker, stopping))
            .addService(health.getHealthService())
            .addService(reflection());
    if (messageBytes < Integer.MAX_VALUE) {
      builder.addStreamTracerFactory(new LongMessages());
    }
    tls.ifPresent(builder::sslContext);
    // A method reference would name the superclass, which is another one before gRPC 1.59.
    security.token().map(BearerToken::new).ifPresent(token -> builder.intercept(token));
    stream.ifPresent(endpoint -> builder.addService(StreamService.offering(endpoint, stopping)));
    Sockets.PROBES.forEach(builder::withChildOption);
    try {
      Server server = builder.build().start();
      health.setStatus(MasterService.NAME, ServingStatus.SERVING);
      health.setStatus(WorkerService.NAME, ServingStatus.SERVING);
      return new GrpcServer(threads, health, stopping, server);
    } catch (IOException e) {
      threads.close();
      throw new TributaryException(
          ErrorCode.FAILED_PRECONDITION,
          String.format(
              "cannot listen at %s:%d: %s", address.getHostString(), address.getPort(), reason(e)),
          e);
    }
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
