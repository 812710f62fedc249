package dev.tributary.cluster.rpc;

import dev.tributary.cluster.protocol.MasterInterface;
import dev.tributary.cluster.protocol.WorkerInterface;
import dev.tributary.error.TributaryException;
import java.net.InetSocketAddress;

/** Serves a master and a worker at one port. */
public final class GrpcServer implements AutoCloseable {
  private GrpcServer() {}

  /** Begins to listen; port 0 takes any free one. */
  public static GrpcServer start(
      InetSocketAddress address, MasterInterface master, WorkerInterface worker) {
    throw TributaryException.unimplemented("not yet");
  }

  /** The port that it listens at. */
  public int port() {
    throw TributaryException.unimplemented("not yet");
  }

  @Override
  public void close() {}
}
