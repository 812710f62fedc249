package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.cluster.spec.HostAndPort;
import dev.tributary.error.TributaryException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

class FreePortsTest {
  @Test
  void addresses_severalWanted_areDifferentAndBelowThoseOfConnections() {
    List<String> addresses = FreePorts.addresses(50);
    assertThat(addresses).hasSize(50).doesNotHaveDuplicates();
    assertThat(addresses).allSatisfy(address -> assertThat(port(address)).isLessThan(32_768));
  }

  @Test
  void addresses_portInUse_isLeftOut() throws Exception {
    int first = port(FreePorts.addresses(1).get(0));
    try (ServerSocket taken = new ServerSocket(first, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> FreePorts.addresses(17_000))
          .isInstanceOf(TributaryException.class)
          .hasMessageContaining("of 17000 wanted ports are free");
    }
  }

  private static int port(String address) {
    return HostAndPort.parse(address).port();
  }
}
