package dev.tributary.internal.rendezvous;

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
    RendezvousKey read = RendezvousKey.of(key.toString());
    assertThat(read).isEqualTo(key).hasSameHashCodeAs(key);
    assertParts(read, PS, 0xfedc_ba98_7654_3210L, WORKER, "edge_7_w", -1, 1L << 40);
  }

  @Test
  void in_loopAndIteration_isTheKeyOfTheSameEdge() {
    RendezvousKey key = new RendezvousKey(PS, 7, WORKER, "x", 0, 0);

    assertThat(key.in(-1, 3)).isEqualTo(new RendezvousKey(PS, 7, WORKER, "x", -1, 3));
    assertParts(key.in(-1, 3), PS, 7, WORKER, "x", -1, 3);
  }

  @Test
  void of_malformedText_isRefusedWhenItIsRead() {
    RendezvousKey key = RendezvousKey.of("a;b");

    assertThat(key).isEqualTo(RendezvousKey.of("a;b")).hasToString("a;b");
    assertThatThrownBy(key::check).hasMessage("Invalid  rendezvous key: a;b");
    assertThatThrownBy(key::recvDevice).hasMessage("Invalid  rendezvous key: a;b");
  }

  private static void assertParts(
      RendezvousKey key,
      String sendDevice,
      long incarnation,
      String recvDevice,
      String tensorName,
      long frameId,
      long iteration) {
    assertThat(key.sendDevice()).isEqualTo(sendDevice);
    assertThat(key.incarnation()).isEqualTo(incarnation);
    assertThat(key.recvDevice()).isEqualTo(recvDevice);
    assertThat(key.tensorName()).isEqualTo(tensorName);
    assertThat(key.frameId()).isEqualTo(frameId);
    assertThat(key.iteration()).isEqualTo(iteration);
  }

  @Test
  void devices_withoutNames_areRead() {
    assertParts(RendezvousKey.parse(";0;;x;0:0"), "", 0, "", "x", 0, 0);
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
