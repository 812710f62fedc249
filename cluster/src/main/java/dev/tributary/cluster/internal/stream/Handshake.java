package dev.tributary.cluster.internal.stream;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * The first bytes of each of the two sockets of a connection: the token, the purpose, which
 * connection it belongs to, and a file that is to show whether both can share memory. Two, since a
 * Java channel either blocks its reader or none at all, and writers must not be blocked.
 */
record Handshake(Role role, long connection, Optional<Path> probe) {
  /** The other side's first byte: whether it has found the file. */
  static final byte SHARED = 1;

  static final byte NOT_SHARED = 0;

  private static final int LONGEST_PATH = 1 << 10;

  private static final SecureRandom RANDOM = new SecureRandom();

  /** The requested size of the system's socket buffer; the system may grant less. */
  private static final int SEND_BUFFER = 1 << 20;

  /** Which way bytes go after the handshake. */
  enum Role {
    REQUESTS,
    ANSWERS
  }

  static long newId() {
    return RANDOM.nextLong();
  }

  /** Opens a socket and introduces it. */
  static SocketChannel open(
      StreamEndpoint endpoint, Role role, long connection, Optional<Path> probe)
      throws IOException {
    SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(endpoint.path()));
    try {
      enlarge(channel);
      byte[] path = probe.map(Path::toString).orElse("").getBytes(StandardCharsets.UTF_8);
      ByteBuffer bytes =
          ByteBuffer.allocate(
                  StreamEndpoint.TOKEN_BYTES + 1 + Long.BYTES + Integer.BYTES + path.length)
              .put(endpoint.token())
              .put((byte) role.ordinal())
              .putLong(connection)
              .putInt(path.length)
              .put(path)
              .flip();
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      return channel;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** Reads it from a new connection; an IOException if it is not allowed in. */
  static Handshake read(StreamInput in, StreamEndpoint endpoint) throws IOException {
    byte[] token = in.readBytes(StreamEndpoint.TOKEN_BYTES, StreamEndpoint.TOKEN_BYTES);
    if (!MessageDigest.isEqual(token, endpoint.token())) {
      throw new IOException("a wrong token");
    }
    byte role = in.readByte();
    if (role < 0 || role >= Role.values().length) {
      throw new IOException("malformed: a socket for " + role);
    }
    long connection = in.readLong();
    String path = in.readText(LONGEST_PATH);
    return new Handshake(
        Role.values()[role],
        connection,
        path.isEmpty() ? Optional.empty() : Optional.of(Path.of(path)));
  }

  static void enlarge(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER);
  }
}
