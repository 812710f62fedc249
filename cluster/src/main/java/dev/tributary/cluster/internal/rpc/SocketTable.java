package dev.tributary.cluster.internal.rpc;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Linux's tables of TCP sockets, which name the user of each: {@code /proc/net/tcp} and {@code
 * tcp6}. A line is
 *
 * <pre>
 *  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
 *   0: 0100007F:1F90 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 12345
 * </pre>
 *
 * with addresses as words of four bytes in the machine's order, and an IPv4 address in either
 * table, since a socket for both versions of the protocol has it in the second. Immutable.
 */
record SocketTable(List<Path> files) {
  static final SocketTable OF_SYSTEM =
      new SocketTable(List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6")));

  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final int WORD = 4;
  private static final byte[] IPV4_IN_IPV6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

  private static final int LOCAL = 1;
  private static final int REMOTE = 2;
  private static final int UID = 7;
  private static final int INODE = 9;

  /**
   * A socket that no process has open any more: its program has closed it, or it only waits for the
   * last packets. The system has forgotten its user then and writes root's number.
   */
  private static final String NO_INODE = "0";

  /**
   * Returns the user of the socket with this local end that is connected to this remote end; empty
   * if there is none that a process has open. An IOException if there are no tables to read.
   */
  OptionalInt userOf(InetSocketAddress local, InetSocketAddress remote) throws IOException {
    Set<String> ends = ends(local);
    Set<String> otherEnds = ends(remote);
    for (Path file : files) {
      try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.US_ASCII)) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          String[] columns = line.trim().split(" +");
          if (columns.length > INODE
              && ends.contains(columns[LOCAL])
              && otherEnds.contains(columns[REMOTE])
              && !columns[INODE].equals(NO_INODE)) {
            return OptionalInt.of(Integer.parseUnsignedInt(columns[UID]));
          }
        }
      } catch (NumberFormatException e) {
        throw new IOException(file + " is not a table of sockets: " + e.getMessage(), e);
      }
    }
    return OptionalInt.empty();
  }

  /** Returns the forms of an address in the tables: as IPv6, and if it is one, as IPv4. */
  private static Set<String> ends(InetSocketAddress end) {
    String port = HEX.toHexDigits((char) end.getPort());
    InetAddress address = end.getAddress();
    byte[] bytes = address.getAddress();
    return bytes.length == WORD
        ? Set.of(words(bytes) + ":" + port, words(inIpv6(bytes)) + ":" + port)
        : Set.of(words(bytes) + ":" + port);
  }

  private static byte[] inIpv6(byte[] ipv4) {
    return ByteBuffer.allocate(IPV4_IN_IPV6.length + WORD).put(IPV4_IN_IPV6).put(ipv4).array();
  }

  private static String words(byte[] address) {
    ByteBuffer words = ByteBuffer.wrap(address).order(ByteOrder.nativeOrder());
    StringBuilder text = new StringBuilder(2 * address.length);
    while (words.hasRemaining()) {
      text.append(HEX.toHexDigits(words.getInt()));
    }
    return text.toString();
  }
}
