package dev.tributary.cluster.internal.stream;

import dev.tributary.error.TributaryException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The socket of a task for other processes of its machine, and their key. It is given only to those
 * who may call the task, by a call that they have to be allowed to make. Immutable.
 *
 * @param path of the socket
 * @param token unguessable, new with every server
 */
public record StreamEndpoint(Path path, byte[] token) {
  static final int TOKEN_BYTES = 32;
  static final String DIRECTORY_PREFIX = "tributary-";
  static final String SOCKET = "stream";

  /** The requested size of the system's socket buffer; the system may grant less. */
  private static final int SEND_BUFFER = 1 << 20;

  public StreamEndpoint {
    // A peer must not be able to make us write into any other socket of the machine.
    boolean ours =
        path.isAbsolute()
            && path.endsWith(SOCKET)
            && path.getNameCount() > 1
            && path.getParent().getFileName().toString().startsWith(DIRECTORY_PREFIX);
    if (!ours || token.length != TOKEN_BYTES) {
      throw TributaryException.invalidArgument(
          "no stream is offered by the path '%s' and a token of %d bytes", path, token.length);
    }
    token = token.clone();
  }

  static StreamEndpoint in(Path directory) {
    return new StreamEndpoint(directory.resolve(SOCKET), Handshake.newToken());
  }

  /** Opens one of a connection's two sockets. */
  StreamChannel open(Handshake.Role role, long connection, Optional<Path> probe)
      throws IOException {
    SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(path));
    try {
      enlarge(socket);
      StreamChannel channel = new SocketStream(socket);
      new Handshake(token, role, connection, probe).write(channel);
      return channel;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  static void enlarge(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER);
  }

  @Override
  public byte[] token() {
    return token.clone();
  }

  /** Without the token, which must not get into a log. */
  @Override
  public String toString() {
    return path.toString();
  }
}
