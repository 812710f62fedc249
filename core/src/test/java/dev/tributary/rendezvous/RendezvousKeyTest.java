package dev.tributary.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RendezvousKeyTest {
  private static final String PS = "/job:ps/replica:0/task:0/device:CPU:0";
  private static final String WORKER = "/job:worker/replica:0/task:1/device:CPU:0";

  @Test
  void key_asText_isReadBack() {
    RendezvousKey key =
        new RendezvousKey(PS, 0xfedc_ba98_7654_3210L, WORKER, "edge_7_w", -1, 1L << 40);

    assertThat(key)
        .hasToString(
            PS + ";fedcba9876543210;" + WORKER + ";edge_7_w;18446744073709551615:1099511627776");
    assertThat(RendezvousKey.parse(key.toString())).isEqualTo(key);
    assertThat(RendezvousKey.sendDeviceOf(key.toString())).isEqualTo(PS);
    assertThat(RendezvousKey.recvDeviceOf(key.toString())).isEqualTo(WORKER);
  }

  @Test
  void devices_withoutNames_areRead() {
    assertThat(RendezvousKey.parse(";0;;x;0:0")).isEqualTo(new RendezvousKey("", 0, "", "x", 0, 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "a;1;b;c",
        "a;1;b;c;",
        "a;1;b;c;0",
        "a;1;b;c;:",
        "a;1;b;c;0:",
        "a;1;b;c;:0",
        "a;1;b;;0:0",
        "a;;b;c;0:0",
        "a;x;b;c;0:0",
        "a;11111111111111111;b;c;0:0",
        "a;1;b;c;-1:0",
        "a;1;b;c;0:0:0",
        "a;1;b;c;0:0;d",
        "a;1;b;c:0;d",
      })
  void texts_thatAreNoKeys_areRefused(String text) {
    assertThatThrownBy(() -> RendezvousKey.parse(text))
        .isInstanceOf(TributaryException.class)
        .hasMessage("Invalid  rendezvous key: " + text);
  }
}
