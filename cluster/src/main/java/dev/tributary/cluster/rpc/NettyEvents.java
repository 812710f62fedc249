package dev.tributary.cluster.rpc;

/**
 * Keeps Netty from offering events of its buffers to Java's flight recorder. For these the recorder
 * is set up with the first buffer, whether or not anybody records: a good part of the first step of
 * a process. Whoever wants them sets Netty's own property.
 */
final class NettyEvents {
  private static final String PROPERTY = "io.grpc.netty.shaded.io.netty.jfr.enabled";

  private NettyEvents() {}

  /** To be called before anything of Netty is used, which reads its properties once. */
  static void turnOff() {
    if (System.getProperty(PROPERTY) == null) {
      System.setProperty(PROPERTY, "false");
    }
  }
}
