package dev.tributary.cluster.internal.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * The first bytes of each of the two sockets of a connection. Two, since a Java channel either
 * blocks its reader or none at all, and writers must not be blocked.
 *
 * @param token shows that the caller was offered this connection
 * @param role which of the two sockets it is
 * @param connection which connection it belongs to
 * @param probe a file that is to show whether both can share memory
 */
record Handshake(byte[] token, Role role, long connection, Optional<Path> probe) {
  /** The other side's first byte: whether it has found the file. */
  static final byte SHARED = 1;

  static final byte NOT_SHARED = 0;

  private static final int LONGEST_PATH = 1 << 10;

  private static final SecureRandom RANDOM = new SecureRandom();

  /** The direction of the bytes after the handshake. */
  enum Role {
    REQUESTS,
    ANSWERS
  }

  static long newId() {
    return RANDOM.nextLong();
  }

  static byte[] newToken() {
    byte[] token = new byte[StreamEndpoint.TOKEN_BYTES];
    RANDOM.nextBytes(token);
    return token;
  }

  /** Introduces a socket. */
  void write(StreamChannel channel) throws IOException {
    byte[] path = probe.map(Path::toString).orElse("").getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes =
        ByteBuffer.allocate(token.length + 1 + Long.BYTES + Integer.BYTES + path.length)
            .put(token)
            .put((byte) role.ordinal())
            .putLong(connection)
            .putInt(path.length)
            .put(path)
            .flip();
    channel.write(new ByteBuffer[] {bytes});
  }

  /** Reads it from a new connection; an IOException if it makes no sense. */
  static Handshake read(StreamInput in) throws IOException {
    byte[] token = in.readBytes(StreamEndpoint.TOKEN_BYTES, StreamEndpoint.TOKEN_BYTES);
    byte role = in.readByte();
    if (role < 0 || role >= Role.values().length) {
      throw new IOException("malformed: a socket for " + role);
    }
    long connection = in.readLong();
    String path = in.readText(LONGEST_PATH);
    return new Handshake(
        token,
        Role.values()[role],
        connection,
        path.isEmpty() ? Optional.empty() : Optional.of(Path.of(path)));
  }

  /** Returns whether it shows this token, in a time that says nothing about it. */
  boolean shows(byte[] wanted) {
    return MessageDigest.isEqual(token, wanted);
  }
}
