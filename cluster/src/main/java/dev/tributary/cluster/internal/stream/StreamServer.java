package dev.tributary.cluster.internal.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.cluster.internal.protocol.StepTransport;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.internal.time.Timer;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets callers that were offered a connection call a worker through it. A connection is two
 * sockets; whichever comes second begins to serve it. Until then a socket is a stranger: it costs a
 * thread and a few buffers, and has {@link #PAIRING} to show that it is not. {@link #close} ends
 * connections. Guarded by its own monitor.
 */
abstract sealed class StreamServer implements AutoCloseable
    permits LocalStreamServer, NetworkStreamServer {
  private static final Logger LOG = LoggerFactory.getLogger(StreamServer.class);

  /** The time from the connection of a socket to the connection and handshake of both. */
  static final Duration PAIRING = Duration.ofSeconds(5);

  /** The pause after a failure to accept, as when the process has no file descriptors left. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** One socket of a connection, which waits for the other. */
  private record Half(
      SocketChannel socket, StreamChannel channel, StreamInput in, Handshake handshake) {}

  private final StepTransport worker;
  private final TaskMemory memory;
  private final Timer timer;
  private final ServerSocketChannel listener;

  @GuardedBy("this")
  private final Set<ServedStream> streams = new HashSet<>();

  /** Sockets that are not served yet, and their limits. */
  @GuardedBy("this")
  private final Map<SocketChannel, Timer.Alarm> strangers = new HashMap<>();

  /** By the number of their connection. */
  @GuardedBy("this")
  private final Map<Long, Half> halves = new HashMap<>();

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param memory takes the values that come, and counts those that go
   * @param timer ends sockets that stay strangers
   * @param listener is bound already; this server owns it
   */
  StreamServer(StepTransport worker, TaskMemory memory, Timer timer, ServerSocketChannel listener) {
    this.worker = worker;
    this.memory = memory;
    this.timer = timer;
    this.listener = listener;
  }

  /** The most strangers at a time; further ones are cut off at once. */
  abstract int mostStrangers();

  /** Checks who is at the other end, as far as the system knows, and agrees on encryption. */
  abstract StreamChannel open(SocketChannel socket) throws IOException;

  /** Checks that the connection was offered; an IOException if not. */
  abstract void admit(Handshake handshake) throws IOException;

  /** Logs that a socket is cut off. */
  abstract void refused(SocketAddress from, String why);

  /** Begins to accept sockets. */
  final void begin() {
    StreamThreads.start("accept", this::accept);
  }

  private void accept() {
    while (!isClosed()) {
      try {
        welcome(listener.accept());
      } catch (IOException e) {
        if (!isClosed()) {
          LOG.warn("{} cannot accept a connection; trying again", this, e);
          pause();
        }
      }
    }
  }

  private static void pause() {
    try {
      TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void welcome(SocketChannel socket) throws IOException {
    if (add(socket)) {
      StreamThreads.start("requests", () -> greet(socket));
    } else {
      refused(socket.getRemoteAddress(), "too many connections wait to be let in");
      socket.close();
    }
  }

  private synchronized boolean add(SocketChannel stranger) {
    if (closed || strangers.size() >= mostStrangers()) {
      return false;
    }
    strangers.put(
        stranger,
        timer.after(
            PAIRING,
            () -> turnAway(stranger, "no handshake within " + PAIRING.toSeconds() + " s")));
    return true;
  }

  /** Authenticates a socket and, if its connection is complete, serves it on this thread. */
  private void greet(SocketChannel socket) {
    try {
      StreamChannel channel = open(socket);
      StreamInput in = new StreamInput(channel, memory);
      Handshake handshake = Handshake.read(in);
      admit(handshake);
      Half half = new Half(socket, channel, in, handshake);
      Optional<Half> other = pair(half);
      if (other.isPresent()) {
        boolean carriesRequests = handshake.role() == Handshake.Role.REQUESTS;
        serve(carriesRequests ? half : other.get(), carriesRequests ? other.get() : half);
      }
    } catch (IOException | RuntimeException e) {
      turnAway(socket, e.toString());
    }
  }

  /** Returns the other socket of the same connection, if it is there. */
  private synchronized Optional<Half> pair(Half half) throws IOException {
    long connection = half.handshake().connection();
    Half other = halves.get(connection);
    if (!strangers.containsKey(half.socket())
        || other != null && other.handshake().role() == half.handshake().role()) {
      throw new IOException("the connection is over, or has this socket already");
    }
    if (other == null) {
      halves.put(connection, half);
    } else {
      halves.remove(connection);
    }
    return Optional.ofNullable(other);
  }

  private void serve(Half requests, Half answers) throws IOException {
    ServedStream stream =
        new ServedStream(
            requests.channel(),
            requests.in(),
            answers.channel(),
            worker,
            memory,
            timer,
            this::remove);
    if (admit(stream, requests, answers)) {
      stream.serve(shares(requests.handshake().probe()));
    } else {
      stream.close();
    }
  }

  private static boolean shares(Optional<Path> probe) {
    try {
      return probe.isPresent() && SharedFolder.takesProbe(probe.get());
    } catch (IOException e) {
      LOG.debug("tensors go by socket, as memory cannot be shared: {}", e.toString());
      return false;
    }
  }

  private synchronized boolean admit(ServedStream stream, Half requests, Half answers) {
    Timer.Alarm first = strangers.remove(requests.socket());
    Timer.Alarm second = strangers.remove(answers.socket());
    if (first != null) {
      first.cancel();
    }
    if (second != null) {
      second.cancel();
    }
    return first != null && second != null && !closed && streams.add(stream);
  }

  private void turnAway(SocketChannel socket, String why) {
    Timer.Alarm limit;
    synchronized (this) {
      limit = strangers.remove(socket);
      halves.values().removeIf(half -> half.socket() == socket);
    }
    if (limit == null) {
      return;
    }
    limit.cancel();
    try {
      refused(socket.getRemoteAddress(), why);
      socket.close();
    } catch (IOException e) {
      LOG.debug("a socket of {} does not close", this, e);
    }
  }

  private synchronized boolean isClosed() {
    return closed;
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
      unknown = List.copyOf(strangers.keySet());
    }
    open.forEach(ServedStream::close);
    unknown.forEach(socket -> turnAway(socket, "the server stops"));
    try {
      listener.close();
    } catch (IOException e) {
      LOG.debug("{} does not close", this, e);
    }
  }
}
