package dev.tributary.cluster.internal.stream;

import dev.tributary.internal.time.Timer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import jdk.net.ExtendedSocketOptions;

/**
 * The way to a task over the network.
 *
 * @param host by which the task is called
 * @param tls makes engines that check the host's certificate; empty for plain text
 */
public record NetworkRoute(String host, Optional<Supplier<SSLEngine>> tls) {
  /** The time for one attempt to connect to one address of the host. */
  private static final Duration CONNECT = Duration.ofSeconds(3);

  /** The time for the other side's part of a handshake. */
  static final Duration GREETING = Duration.ofSeconds(5);

  // As long as gRPC's: a machine that is gone is noticed within some ten seconds.
  private static final int PROBE_AFTER_SECONDS = 4;
  private static final int PROBE_EVERY_SECONDS = 2;
  private static final int PROBES = 3;

  /**
   * Opens one of a connection's two sockets, and introduces it. Waits for the other side, but not
   * for ever.
   *
   * @param timer ends what takes too long
   */
  StreamChannel open(NetworkEndpoint endpoint, Handshake.Role role, Timer timer)
      throws IOException {
    SocketChannel socket = connect(endpoint.port());
    AtomicBoolean late = new AtomicBoolean();
    Timer.Alarm alarm =
        timer.after(
            GREETING,
            () -> {
              late.set(true);
              drop(socket);
            });
    try {
      StreamChannel channel =
          tls.isPresent() ? TlsStream.open(socket, tls.get().get()) : new SocketStream(socket);
      new Handshake(endpoint.secret(), role, endpoint.connection(), Optional.empty())
          .write(channel);
      return channel;
    } catch (IOException | RuntimeException e) {
      drop(socket);
      if (late.get()) {
        throw new IOException("no answer within " + GREETING.toSeconds() + " s", e);
      }
      throw e;
    } finally {
      alarm.cancel();
    }
  }

  /** Connects to a port, at the first of the host's addresses where that is possible. */
  SocketChannel connect(int port) throws IOException {
    IOException failure = null;
    for (InetAddress address : InetAddress.getAllByName(host)) {
      SocketChannel socket = SocketChannel.open();
      try {
        socket.socket().connect(new InetSocketAddress(address, port), (int) CONNECT.toMillis());
        tune(socket);
        return socket;
      } catch (IOException e) {
        socket.close();
        failure = e;
      }
    }
    throw failure == null ? new IOException(host + " has no address") : failure;
  }

  private static void drop(SocketChannel socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // Nobody uses it any more, either way.
    }
  }

  /**
   * Sends small messages at once, and finds out when the other machine is gone. The sizes of the
   * system's buffers are left to the system: Linux lets them grow with the product of bandwidth and
   * delay, up to 4 and 6 MiB, and stops doing so where a size is given, which it caps at 208 KiB.
   */
  static void tune(SocketChannel socket) throws IOException {
    socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
    socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    if (socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
      socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, PROBE_AFTER_SECONDS);
      socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, PROBE_EVERY_SECONDS);
      socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
    }
  }
}
