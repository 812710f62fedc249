package dev.tributary.cluster.stream;

import dev.tributary.cluster.protocol.TensorTransport;
import dev.tributary.error.TributaryException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets other processes of this machine take values from a worker through a socket, which lies in a
 * directory that only this user may enter. Owns the directory; {@link #close} ends connections and
 * removes it. Guarded by its own monitor.
 */
public final class StreamServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamServer.class);

  private final TensorTransport worker;
  private final StreamEndpoint endpoint;
  private final ServerSocketChannel socket;
  private final Set<ServedStream> streams = new HashSet<>();
  private boolean closed;

  private StreamServer(
      TensorTransport worker, StreamEndpoint endpoint, ServerSocketChannel socket) {
    this.worker = worker;
    this.endpoint = endpoint;
    this.socket = socket;
  }

  /** Begins to serve; empty, with a line in the log, where the machine has no such sockets. */
  public static Optional<StreamServer> start(TensorTransport worker) {
    try {
      Path directory = Files.createTempDirectory(StreamEndpoint.DIRECTORY_PREFIX);
      try {
        StreamEndpoint endpoint = StreamEndpoint.in(directory.toAbsolutePath());
        ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
          socket.bind(UnixDomainSocketAddress.of(endpoint.path()));
        } catch (IOException e) {
          socket.close();
          throw e;
        }
        StreamServer server = new StreamServer(worker, endpoint, socket);
        StreamThreads.start("accept", server::accept);
        return Optional.of(server);
      } catch (IOException | UnsupportedOperationException e) {
        Files.delete(directory);
        throw e;
      }
    } catch (IOException | UnsupportedOperationException e) {
      LOG.info("tensors go by gRPC only, as no local socket can be had: {}", e.toString());
      return Optional.empty();
    }
  }

  /** What to tell those who may connect. */
  public StreamEndpoint endpoint() {
    return endpoint;
  }

  private void accept() {
    while (true) {
      try {
        SocketChannel channel = socket.accept();
        ServedStream stream = new ServedStream(channel, endpoint, worker, this::remove);
        if (add(stream)) {
          stream.start();
        } else {
          stream.close();
        }
      } catch (IOException e) {
        if (!isClosed()) {
          LOG.warn("the stream at {} takes no more connections", endpoint, e);
        }
        return;
      }
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized boolean add(ServedStream stream) {
    return !closed && streams.add(stream);
  }

  private synchronized void remove(ServedStream stream) {
    streams.remove(stream);
  }

  @Override
  public void close() {
    List<ServedStream> open;
    synchronized (this) {
      closed = true;
      open = List.copyOf(streams);
    }
    open.forEach(ServedStream::close);
    try {
      socket.close();
      Files.deleteIfExists(endpoint.path());
      Files.deleteIfExists(endpoint.path().getParent());
    } catch (IOException e) {
      throw TributaryException.internal("cannot remove the stream at %s: %s", endpoint, e);
    }
  }
}
