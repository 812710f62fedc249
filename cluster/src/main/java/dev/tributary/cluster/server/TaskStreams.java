package dev.tributary.cluster.server;

import dev.tributary.cluster.internal.protocol.StepTransport;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.cluster.internal.rpc.StreamTls;
import dev.tributary.cluster.internal.stream.LocalStreamServer;
import dev.tributary.cluster.internal.stream.NetworkStreamServer;
import dev.tributary.cluster.internal.stream.StreamOffer;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.time.Timer;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ways past gRPC by which other tasks reach a task.
 *
 * @param local for those on this machine
 * @param network for those on any machine
 */
record TaskStreams(Optional<LocalStreamServer> local, Optional<NetworkStreamServer> network)
    implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskStreams.class);

  /** The number of further ports to ask for if the system gives one that a task is to have. */
  private static final int ATTEMPTS = 10;

  /**
   * Begins to serve what the options ask for.
   *
   * @param grpc where the task listens for calls; streams have another port there
   */
  static TaskStreams start(
      ServerOptions options,
      InetSocketAddress grpc,
      StepTransport worker,
      TaskMemory memory,
      Timer timer) {
    Optional<NetworkStreamServer> network =
        options.fastPaths().streams().network()
            ? startNetwork(options, grpc, worker, memory, timer)
            : Optional.empty();
    Optional<LocalStreamServer> local =
        options.fastPaths().streams().local()
            ? LocalStreamServer.start(worker, memory, timer)
            : Optional.empty();
    return new TaskStreams(local, network);
  }

  /** A port that was asked for must be had; any other is a matter of speed. */
  private static Optional<NetworkStreamServer> startNetwork(
      ServerOptions options,
      InetSocketAddress grpc,
      StepTransport worker,
      TaskMemory memory,
      Timer timer) {
    try {
      NetworkStreamServer server = listen(options, grpc, worker, memory, timer);
      for (int i = 0; i < ATTEMPTS && isNamed(server.port(), options); i++) {
        server.close();
        server = listen(options, grpc, worker, memory, timer);
      }
      return Optional.of(server);
    } catch (TributaryException e) {
      if (options.streamPort() != 0) {
        throw e;
      }
      LOG.warn("steps of other machines come by gRPC: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private static NetworkStreamServer listen(
      ServerOptions options,
      InetSocketAddress grpc,
      StepTransport worker,
      TaskMemory memory,
      Timer timer) {
    return NetworkStreamServer.start(
        new InetSocketAddress(grpc.getAddress(), options.streamPort()),
        options.security().tls().map(StreamTls::ofServer),
        worker,
        memory,
        timer);
  }

  /** Returns whether the system gave away the port of a task, which may be about to start. */
  private static boolean isNamed(int port, ServerOptions options) {
    return options.streamPort() == 0
        && options.cluster().tasks().stream()
            .anyMatch(task -> options.cluster().hostAndPort(task).port() == port);
  }

  /** Returns whether there is nothing to offer. */
  boolean isEmpty() {
    return local.isEmpty() && network.isEmpty();
  }

  /** Offers a caller that is let in what it may use. */
  StreamOffer offer() {
    return new StreamOffer(
        local.map(LocalStreamServer::endpoint), network.map(NetworkStreamServer::offer));
  }

  @Override
  public void close() {
    network.ifPresent(NetworkStreamServer::close);
    local.ifPresent(LocalStreamServer::close);
  }
}
