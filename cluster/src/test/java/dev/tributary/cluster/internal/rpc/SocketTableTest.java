package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocketTableTest {
  /** Text of a little-endian machine: 8080 listens, and 54321, 54322 and 54323 are connected. */
  private static final String TCP =
      """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 100 1 0000000000000000 100 0 0 10 0
         1: 0100007F:1F90 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 101 1 0000000000000000 20 4 30 10 -1
         2: 0100007F:D431 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 102 1 0000000000000000 20 4 30 10 -1
         3: 0100007F:D432 0100007F:1F90 05 00000000:00000000 03:000017A2 00000000     0        0 0 3 0000000000000000
         4: 0100007F:D433 0200007F:1F90 01 00000000:00000000 00:00000000 00000000  1003        0 104 1 0000000000000000 20 4 30 10 -1
      """;

  /** The same for sockets of both versions: 54324 by IPv4, 54325 by IPv6. */
  private static final String TCP6 =
      """
        sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0000000000000000FFFF00000100007F:D434 0000000000000000FFFF00000100007F:1F90 01 00000000:00000000 00:00000000 00000000  1004        0 105 1 0000000000000000 20 4 30 10 -1
         1: 00000000000000000000000001000000:D435 00000000000000000000000001000000:1F90 01 00000000:00000000 00:00000000 00000000 4294967294        0 106 1 0000000000000000 20 4 30 10 -1
      """;

  @TempDir private Path folder;
  private SocketTable table;

  @BeforeEach
  void write() throws IOException {
    assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "the samples are");
    table =
        new SocketTable(
            List.of(
                Files.writeString(folder.resolve("tcp"), TCP),
                Files.writeString(folder.resolve("tcp6"), TCP6)));
  }

  @Test
  void userOf_ipv4_isTheUserOfThisEnd() throws IOException {
    assertThat(table.userOf(end("127.0.0.1", 54321), end("127.0.0.1", 8080))).hasValue(1001);
    assertThat(table.userOf(end("127.0.0.1", 8080), end("127.0.0.1", 54321))).hasValue(1000);
  }

  @Test
  void userOf_ipv4InASocketForBoth_isFoundInTheSecondTable() throws IOException {
    assertThat(table.userOf(end("127.0.0.1", 54324), end("127.0.0.1", 8080))).hasValue(1004);
  }

  @Test
  void userOf_ipv6_isFound() throws IOException {
    assertThat(table.userOf(end("::1", 54325), end("::1", 8080))).hasValue(-2);
  }

  @Test
  void userOf_socketThatItsProgramHasClosed_isUnknownRatherThanRoots() throws IOException {
    assertThat(table.userOf(end("127.0.0.1", 54322), end("127.0.0.1", 8080))).isEmpty();
  }

  @Test
  void userOf_connectionElsewhere_isUnknown() throws IOException {
    assertThat(table.userOf(end("127.0.0.1", 54323), end("127.0.0.1", 8080))).isEmpty();
    assertThat(table.userOf(end("127.0.0.1", 54321), end("127.0.0.1", 8081))).isEmpty();
    assertThat(table.userOf(end("::1", 54324), end("::1", 8080))).isEmpty();
  }

  @Test
  void userOf_systemWithoutTables_fails() {
    SocketTable none = new SocketTable(List.of(folder.resolve("missing")));

    assertThatThrownBy(() -> none.userOf(end("127.0.0.1", 1), end("127.0.0.1", 2)))
        .isInstanceOf(IOException.class);
    assertThat(LocalCallers.find(none)).isEmpty();
  }

  @Test
  void find_linux_tellsUsersApart() {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "only Linux has these tables");

    assertThat(LocalCallers.find(SocketTable.OF_SYSTEM)).isPresent();
  }

  private static InetSocketAddress end(String host, int port) throws IOException {
    return new InetSocketAddress(InetAddress.getByName(host), port);
  }
}
