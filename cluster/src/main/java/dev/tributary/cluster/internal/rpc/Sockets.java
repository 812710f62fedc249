package dev.tributary.cluster.internal.rpc;

import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioChannelOption;
import java.util.Map;
import jdk.net.ExtendedSocketOptions;

/** Socket options, for both sides of a connection. */
final class Sockets {
  /**
   * The number of bytes that a peer may send ahead of the reader. Checks of a heartbeat wait behind
   * that much, and signs of life come twice in the time that it takes.
   */
  static final int FLOW_CONTROL_WINDOW = 2 << 20;

  /** Room for the text and the details of an error. */
  static final int METADATA_BYTES = 64 << 10;

  /**
   * The system's own probes find a machine that is gone within some ten seconds. HTTP/2's pings are
   * not used for that: a stock TensorFlow server ends connections whose peer pings more often than
   * every five minutes.
   */
  static final Map<ChannelOption<Integer>, Integer> PROBES =
      Map.of(
          NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE), 4,
          NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL), 2,
          NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT), 3);

  private Sockets() {}
}
