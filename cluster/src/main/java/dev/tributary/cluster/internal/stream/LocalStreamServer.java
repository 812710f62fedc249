package dev.tributary.cluster.internal.stream;

import dev.tributary.cluster.internal.protocol.StepTransport;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.time.Timer;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.Optional;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link StreamServer} for other processes of this machine, at a socket in a directory that only
 * this user may enter. Owns the directory, and removes it when it is closed.
 */
public final class LocalStreamServer extends StreamServer {
  private static final Logger LOG = LoggerFactory.getLogger(LocalStreamServer.class);

  private static final String ROOT = "root";

  private final StreamEndpoint endpoint;

  private LocalStreamServer(
      StepTransport worker,
      TaskMemory memory,
      Timer timer,
      StreamEndpoint endpoint,
      ServerSocketChannel listener) {
    super(worker, memory, timer, listener);
    this.endpoint = endpoint;
  }

  /**
   * Begins to serve; empty, with a line in the log, where the machine has no such sockets.
   *
   * @param memory takes the values that come, and counts those that go
   * @param timer ends sockets that stay alone
   */
  public static Optional<LocalStreamServer> start(
      StepTransport worker, TaskMemory memory, Timer timer) {
    try {
      Path directory = Files.createTempDirectory(StreamEndpoint.DIRECTORY_PREFIX);
      try {
        StreamEndpoint endpoint = StreamEndpoint.in(directory.toAbsolutePath());
        LocalStreamServer server =
            new LocalStreamServer(worker, memory, timer, endpoint, listen(endpoint));
        server.begin();
        StreamThreads.start(
            "sweep",
            () -> {
              AbandonedStreams.removeBeside(directory);
              SharedFolder.removeAbandoned(directory);
            });
        return Optional.of(server);
      } catch (IOException | UnsupportedOperationException e) {
        Files.delete(directory);
        throw e;
      }
    } catch (IOException | UnsupportedOperationException e) {
      LOG.info("no local socket for tensors can be had: {}", e.toString());
      return Optional.empty();
    }
  }

  private static ServerSocketChannel listen(StreamEndpoint endpoint) throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      return listener.bind(UnixDomainSocketAddress.of(endpoint.path()));
    } catch (IOException e) {
      listener.close();
      throw e;
    }
  }

  /** The endpoint, for callers that may connect. */
  public StreamEndpoint endpoint() {
    return endpoint;
  }

  /** Only this user's processes get this far. */
  @Override
  int mostStrangers() {
    return Integer.MAX_VALUE;
  }

  @Override
  StreamChannel open(SocketChannel socket) throws IOException {
    if (!isOwn(socket)) {
      throw new IOException("a socket of another user");
    }
    StreamEndpoint.enlarge(socket);
    return new SocketStream(socket);
  }

  /**
   * Returns whether the other end of a socket is of this user or of root. Where the system does not
   * say, the permissions of the directory and the token have to do.
   */
  private boolean isOwn(SocketChannel socket) throws IOException {
    if (!socket.supportedOptions().contains(ExtendedSocketOptions.SO_PEERCRED)) {
      return true;
    }
    UserPrincipal user = socket.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
    return user.equals(Files.getOwner(endpoint.path().getParent())) || user.getName().equals(ROOT);
  }

  @Override
  void admit(Handshake handshake) throws IOException {
    if (!handshake.shows(endpoint.token())) {
      throw new IOException("a wrong token");
    }
  }

  @Override
  void refused(SocketAddress from, String why) {
    LOG.debug("the stream at {} lets nobody in: {}", endpoint, why);
  }

  @Override
  public void close() {
    super.close();
    try {
      Files.deleteIfExists(endpoint.path());
      Files.deleteIfExists(endpoint.path().getParent());
    } catch (IOException e) {
      throw TributaryException.internal("cannot remove the stream at %s: %s", endpoint, e);
    }
  }

  @Override
  public String toString() {
    return "the stream at " + endpoint;
  }
}
