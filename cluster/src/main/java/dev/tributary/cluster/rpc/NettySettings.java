package dev.tributary.cluster.rpc;

import java.util.Map;

/**
 * What we have of Netty, and what not: both would take their time in the start of every process.
 * Whoever wants them sets Netty's own properties.
 *
 * <ul>
 *   <li>Its buffers offer events to Java's flight recorder, which is set up with the first of them,
 *       whether or not anybody records.
 *   <li>Its transports in native code are unpacked and loaded when gRPC looks whether they are
 *       there. Ours is Java's.
 * </ul>
 */
final class NettySettings {
  private static final String PREFIX = "io.grpc.netty.shaded.io.netty.";
  private static final Map<String, String> SETTINGS =
      Map.of("jfr.enabled", "false", "transport.noNative", "true");

  private NettySettings() {}

  /** To be called before anything of Netty is used, which reads its properties once. */
  static void apply() {
    SETTINGS.forEach(
        (name, value) -> {
          if (System.getProperty(PREFIX + name) == null) {
            System.setProperty(PREFIX + name, value);
          }
        });
  }
}
