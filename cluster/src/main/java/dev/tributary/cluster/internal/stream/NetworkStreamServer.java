package dev.tributary.cluster.internal.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.cluster.internal.protocol.RareLog;
import dev.tributary.cluster.internal.protocol.StepTransport;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.time.Timer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link StreamServer} for tasks of other machines, at a TCP port of its own. Each connection is
 * offered before by a call that the caller has to be allowed to make, and has a secret that lets in
 * its two sockets, once each and within {@link #OFFER}.
 */
public final class NetworkStreamServer extends StreamServer {
  private static final Logger LOG = LoggerFactory.getLogger(NetworkStreamServer.class);

  /** The time from an offer to the connection. */
  static final Duration OFFER = Duration.ofSeconds(30);

  /** A task connects once to each other one; the oldest offers are dropped. */
  static final int MOST_OFFERS = 4096;

  static final int MOST_STRANGERS = 256;

  private static final class Offer {
    final byte[] secret = Handshake.newToken();
    final Set<Handshake.Role> unused = EnumSet.allOf(Handshake.Role.class);
    final long madeNanos;

    Offer(long madeNanos) {
      this.madeNanos = madeNanos;
    }
  }

  private final RareLog refusals = new RareLog(LOG::warn);
  private final Timer timer;
  private final int port;
  private final Optional<Supplier<SSLEngine>> tls;

  /** By connection, the oldest first. */
  @GuardedBy("this")
  private final Map<Long, Offer> offers = new LinkedHashMap<>();

  private NetworkStreamServer(
      StepTransport worker,
      TaskMemory memory,
      Timer timer,
      ServerSocketChannel listener,
      Optional<Supplier<SSLEngine>> tls)
      throws IOException {
    super(worker, memory, timer, listener);
    this.timer = timer;
    this.port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
    this.tls = tls;
  }

  /**
   * Begins to serve. An address that cannot be had is FAILED_PRECONDITION.
   *
   * @param address where to listen; port 0 takes any free one
   * @param tls makes engines that show the server's certificate; empty for plain text
   * @param memory takes the values that come, and counts those that go
   * @param timer ends sockets that stay alone
   */
  public static NetworkStreamServer start(
      InetSocketAddress address,
      Optional<Supplier<SSLEngine>> tls,
      StepTransport worker,
      TaskMemory memory,
      Timer timer) {
    try {
      ServerSocketChannel listener = ServerSocketChannel.open();
      try {
        listener.bind(address);
        NetworkStreamServer server = new NetworkStreamServer(worker, memory, timer, listener, tls);
        server.begin();
        return server;
      } catch (IOException e) {
        listener.close();
        throw e;
      }
    } catch (IOException e) {
      throw new TributaryException(
          ErrorCode.FAILED_PRECONDITION,
          String.format(
              "cannot listen for streams at %s:%d: %s; give the task another --stream-port",
              address.getHostString(), address.getPort(), e.getMessage()),
          e);
    }
  }

  /** Offers a connection to a caller that may call the worker. */
  public synchronized NetworkEndpoint offer() {
    long now = timer.nanos();
    offers.values().removeIf(offer -> isOver(offer, now));
    if (offers.size() == MOST_OFFERS) {
      offers.remove(offers.keySet().iterator().next());
    }
    long connection;
    do {
      connection = Handshake.newId();
    } while (offers.containsKey(connection));
    Offer offer = new Offer(now);
    offers.put(connection, offer);
    return new NetworkEndpoint(port, connection, offer.secret);
  }

  private static boolean isOver(Offer offer, long now) {
    return now - offer.madeNanos > OFFER.toNanos();
  }

  /** The port that it listens at. */
  public int port() {
    return port;
  }

  @Override
  int mostStrangers() {
    return MOST_STRANGERS;
  }

  @Override
  StreamChannel open(SocketChannel socket) throws IOException {
    NetworkRoute.tune(socket);
    return tls.isPresent() ? TlsStream.open(socket, tls.get().get()) : new SocketStream(socket);
  }

  @Override
  synchronized void admit(Handshake handshake) throws IOException {
    Offer offer = offers.get(handshake.connection());
    if (offer == null
        || isOver(offer, timer.nanos())
        || !handshake.shows(offer.secret)
        || handshake.probe().isPresent()
        || !offer.unused.remove(handshake.role())) {
      throw new IOException("it shows no secret that was offered to it");
    }
    if (offer.unused.isEmpty()) {
      offers.remove(handshake.connection());
    }
  }

  @Override
  void refused(SocketAddress from, String why) {
    refusals.write("refused a connection from " + from + " to the stream port: " + why);
  }

  @Override
  public String toString() {
    return "the stream port " + port;
  }
}
