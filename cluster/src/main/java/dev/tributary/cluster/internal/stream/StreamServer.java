package dev.tributary.cluster.internal.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.cluster.internal.protocol.StepTransport;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.time.Timer;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets other processes of this machine call a worker through a socket, which lies in a directory
 * that only this user may enter. Owns the directory; {@link #close} ends connections and removes
 * it. Guarded by its own monitor.
 */
public final class StreamServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamServer.class);

  private static final String ROOT = "root";

  /** The time that one socket of a connection waits for the other. */
  static final Duration PAIRING = Duration.ofSeconds(5);

  private final StepTransport worker;
  private final TaskMemory memory;
  private final Timer timer;
  private final StreamEndpoint endpoint;
  private final ServerSocketChannel socket;

  @GuardedBy("this")
  private final Set<ServedStream> streams = new HashSet<>();

  @GuardedBy("this")
  private final Set<SocketChannel> strangers = new HashSet<>();

  private final Map<Long, CompletableFuture<SocketChannel>> answerSockets =
      new ConcurrentHashMap<>();

  @GuardedBy("this")
  private boolean closed;

  private StreamServer(
      StepTransport worker,
      TaskMemory memory,
      Timer timer,
      StreamEndpoint endpoint,
      ServerSocketChannel socket) {
    this.worker = worker;
    this.memory = memory;
    this.timer = timer;
    this.endpoint = endpoint;
    this.socket = socket;
  }

  /**
   * Begins to serve; empty, with a line in the log, where the machine has no such sockets.
   *
   * @param memory takes the values that come, and counts those that go
   * @param timer ends sockets that stay alone
   */
  public static Optional<StreamServer> start(StepTransport worker, TaskMemory memory, Timer timer) {
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
        StreamServer server = new StreamServer(worker, memory, timer, endpoint, socket);
        StreamThreads.start("accept", server::accept);
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
      LOG.info("tensors go by gRPC only, as no local socket can be had: {}", e.toString());
      return Optional.empty();
    }
  }

  /** The endpoint, for callers that may connect. */
  public StreamEndpoint endpoint() {
    return endpoint;
  }

  private void accept() {
    while (true) {
      try {
        SocketChannel channel = socket.accept();
        if (add(channel)) {
          StreamThreads.start("requests", () -> greet(channel));
        } else {
          channel.close();
        }
      } catch (IOException e) {
        if (!isClosed()) {
          LOG.warn("the stream at {} takes no more connections", endpoint, e);
        }
        return;
      }
    }
  }

  /**
   * Returns whether the other end of a socket is of this user or of root. Where the system does not
   * say, the permissions of the directory and the token have to do.
   */
  private boolean isOwn(SocketChannel channel) throws IOException {
    if (!channel.supportedOptions().contains(ExtendedSocketOptions.SO_PEERCRED)) {
      return true;
    }
    UserPrincipal user = channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
    return user.equals(Files.getOwner(endpoint.path().getParent())) || user.getName().equals(ROOT);
  }

  /** Authenticates a connection and, if it carries requests, serves them on this thread. */
  private void greet(SocketChannel channel) {
    try {
      if (!isOwn(channel)) {
        throw new IOException("a socket of another user");
      }
      StreamInput in = new StreamInput(channel, memory);
      Handshake handshake = Handshake.read(in, endpoint);
      Handshake.enlarge(channel);
      CompletableFuture<SocketChannel> answers =
          answerSockets.computeIfAbsent(handshake.connection(), id -> new CompletableFuture<>());
      if (handshake.role() == Handshake.Role.ANSWERS) {
        answers.complete(channel);
        timer.after(PAIRING, () -> giveUp(handshake.connection(), answers, channel));
        return;
      }
      SocketChannel paired;
      try {
        paired = answers.get(PAIRING.toMillis(), TimeUnit.MILLISECONDS);
      } finally {
        answerSockets.remove(handshake.connection());
      }
      ServedStream stream = new ServedStream(channel, in, paired, worker, memory, this::remove);
      if (add(stream, channel, paired)) {
        stream.serve(shares(handshake));
      } else {
        stream.close();
      }
    } catch (IOException | ExecutionException | TimeoutException | RuntimeException e) {
      LOG.debug("the stream at {} lets nobody in: {}", endpoint, e.toString());
      turnAway(channel);
    } catch (InterruptedException e) {
      turnAway(channel);
      Thread.currentThread().interrupt();
    }
  }

  private void giveUp(
      long connection, CompletableFuture<SocketChannel> answers, SocketChannel channel) {
    if (answerSockets.remove(connection, answers)) {
      LOG.debug("the stream at {} has a socket for answers to no requests", endpoint);
      turnAway(channel);
    }
  }

  private static boolean shares(Handshake handshake) {
    try {
      return handshake.probe().isPresent() && SharedFolder.takesProbe(handshake.probe().get());
    } catch (IOException e) {
      LOG.debug("tensors go by socket, as memory cannot be shared: {}", e.toString());
      return false;
    }
  }

  private void turnAway(SocketChannel channel) {
    synchronized (this) {
      strangers.remove(channel);
    }
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("a socket of the stream at {} does not close", endpoint, e);
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized boolean add(SocketChannel stranger) {
    return !closed && strangers.add(stranger);
  }

  private synchronized boolean add(ServedStream stream, SocketChannel... known) {
    strangers.removeAll(List.of(known));
    return !closed && streams.add(stream);
  }

  private synchronized void remove(ServedStream stream) {
    streams.remove(stream);
  }

  @Override
  public void close() {
    List<ServedStream> open;
    List<SocketChannel> unknown;
    synchronized (this) {
      closed = true;
      open = List.copyOf(streams);
      unknown = List.copyOf(strangers);
    }
    open.forEach(ServedStream::close);
    unknown.forEach(this::turnAway);
    try {
      socket.close();
      Files.deleteIfExists(endpoint.path());
      Files.deleteIfExists(endpoint.path().getParent());
    } catch (IOException e) {
      throw TributaryException.internal("cannot remove the stream at %s: %s", endpoint, e);
    }
  }
}
