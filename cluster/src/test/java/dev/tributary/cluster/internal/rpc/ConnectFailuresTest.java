package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Texts of gRPC 1.85, shortened. */
class ConnectFailuresTest {
  private static final String LATE =
      "CallOptions deadline exceeded after 7.736634132s. Name resolution delay 0.032506312 seconds."
          + " [wait_for_ready, Last Pick Failure=Status{code=UNAVAILABLE, description=";
  private static final String END = "}, connecting_and_lb_delay=7741634640ns, was_still_waiting]";

  @Test
  void ofLateCall_refusedConnection_hasNoStackTrace() {
    String text =
        LATE
            + "io exception, cause=io.netty.channel.AbstractChannel$AnnotatedConnectException:"
            + " Connection refused: localhost/127.0.0.1:1\n"
            + "Caused by: java.net.ConnectException: Connection refused\n"
            + "\tat java.base/sun.nio.ch.Net.pollConnect(Native Method)\n"
            + END;

    assertThat(ConnectFailures.ofLateCall(text))
        .isEqualTo("no answer within 7.736 s: Connection refused, no process listens there");
  }

  @Test
  void ofLateCall_unknownHost_saysSo() {
    String text =
        LATE
            + "unresolved address, cause=java.nio.channels.UnresolvedAddressException\n"
            + "\tat java.base/sun.nio.ch.Net.checkAddress(Net.java:149)\n"
            + END;

    assertThat(ConnectFailures.ofLateCall(text))
        .isEqualTo("no answer within 7.736 s: unknown host");
  }

  @Test
  void ofLateCall_connectedPeer_keepsTheTime() {
    assertThat(
            ConnectFailures.ofLateCall(
                "CallOptions deadline exceeded after 0.499999999s. Name resolution delay 0 seconds."
                    + " [closed=[], open=[[remote_addr=localhost/127.0.0.1:2222]]]"))
        .isEqualTo("no answer within 0.499 s");
  }

  @Test
  void ofLateCall_wordsOfATask_areKept() {
    String text = "the step did not end\nin time";

    assertThat(ConnectFailures.ofLateCall(text)).isEqualTo(text);
  }
}
