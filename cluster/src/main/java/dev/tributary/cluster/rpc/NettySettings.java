package dev.tributary.cluster.rpc;

/**
 * Turns off a Netty feature that slows down every process start: its buffers offer events to Java's
 * Flight Recorder, which is set up with the first buffer even if nothing records. A program that
 * wants these events sets {@code io.netty.jfr.enabled} to true.
 */
final class NettySettings {
  private static final String JFR = "io.netty.jfr.enabled";

  private NettySettings() {}

  /** To be called before anything of Netty is used, which reads its properties once. */
  static void apply() {
    if (System.getProperty(JFR) == null) {
      System.setProperty(JFR, "false");
    }
  }
}
