package dev.tributary.cluster.internal.rpc;

import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerTransportFilter;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets only the server's own user, and root, call a server at a loopback address, which every user
 * of the machine can reach. The system is asked once for each connection whose it is, when the
 * first call comes; later calls find the answer at their connection. Immutable.
 */
final class LocalCallers {
  private static final Logger LOG = LoggerFactory.getLogger(LocalCallers.class);
  private static final int ROOT = 0;
  private static final Attributes.Key<Connection> CONNECTION =
      Attributes.Key.create("tributary-connection");

  private final SocketTable sockets;
  private final int ownUser;

  LocalCallers(SocketTable sockets, int ownUser) {
    this.sockets = sockets;
    this.ownUser = ownUser;
  }

  /**
   * Returns callers as this system tells them apart; empty if it does not. Found out by a
   * connection of this process to itself.
   */
  static Optional<LocalCallers> ofSystem() {
    return OfSystem.INSTANCE;
  }

  /** Asked once for each process. */
  private static final class OfSystem {
    private static final Optional<LocalCallers> INSTANCE = find(SocketTable.OF_SYSTEM);
  }

  static Optional<LocalCallers> find(SocketTable sockets) {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
      OptionalInt own =
          sockets.userOf(
              (InetSocketAddress) client.getLocalSocketAddress(),
              (InetSocketAddress) client.getRemoteSocketAddress());
      return own.isPresent()
          ? Optional.of(new LocalCallers(sockets, own.getAsInt()))
          : Optional.empty();
    } catch (IOException e) {
      LOG.debug("the system does not say whose a connection is: {}", e.toString());
      return Optional.empty();
    }
  }

  void guard(NettyServerBuilder server) {
    server.addTransportFilter(new Connections()).intercept(new Guard());
  }

  private final class Connections extends ServerTransportFilter {
    @Override
    public Attributes transportReady(Attributes transport) {
      return transport.toBuilder()
          .set(
              CONNECTION,
              new Connection(
                  transport.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR),
                  transport.get(Grpc.TRANSPORT_ATTR_LOCAL_ADDR)))
          .build();
    }
  }

  private static final class Guard implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      Optional<String> fault = call.getAttributes().get(CONNECTION).fault();
      if (fault.isEmpty()) {
        return next.startCall(call, headers);
      }
      return RefusedCalls.refuse(call, Status.UNAUTHENTICATED.withDescription(fault.get()));
    }
  }

  /** One connection. Found out on the thread of its first call; more than one may do so. */
  private final class Connection {
    private final SocketAddress caller;
    private final SocketAddress server;
    private volatile Optional<String> known; // Null until it is.

    Connection(SocketAddress caller, SocketAddress server) {
      this.caller = caller;
      this.server = server;
    }

    /** Why its calls are refused; empty if they are not. */
    Optional<String> fault() {
      Optional<String> fault = known;
      if (fault == null) {
        fault = find();
        known = fault;
      }
      return fault;
    }

    private Optional<String> find() {
      OptionalInt user;
      try {
        user = sockets.userOf((InetSocketAddress) caller, (InetSocketAddress) server);
      } catch (IOException e) {
        LOG.debug("nobody knows whose the connection from {} is: {}", caller, e.toString());
        user = OptionalInt.empty();
      }
      if (user.isPresent() && (user.getAsInt() == ownUser || user.getAsInt() == ROOT)) {
        return Optional.empty();
      }
      String whose = user.isPresent() ? "is of user " + user.getAsInt() : "has no known user";
      return Optional.of(
          String.format(
              "the connection from %s %s, and this server takes those of its own user %d only;"
                  + " start it with a token or mutual TLS (--token-file, --mutual-tls), or for"
                  + " every user of the machine (ServerOptions.withAnyLocalUser, --any-local-user)",
              caller, whose, ownUser));
    }
  }
}
