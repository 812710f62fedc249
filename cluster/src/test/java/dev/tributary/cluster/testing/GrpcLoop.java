package dev.tributary.cluster.testing;

import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.rpc.GrpcMaster;
import dev.tributary.cluster.internal.rpc.GrpcServer;
import dev.tributary.cluster.internal.rpc.GrpcWorkers;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A master and a worker of this process, reached through a real server at a free port: what a
 * contract test needs to run over gRPC too. Does not own the two.
 */
public final class GrpcLoop implements AutoCloseable {
  public static final TaskName SERVED = new TaskName("served", 0);
  private static final TaskName CALLER = new TaskName("caller", 0);

  private final GrpcServer server;
  private final GrpcMaster master;
  private final GrpcWorkers workers;

  private GrpcLoop(GrpcServer server) {
    this.server = server;
    this.master = new GrpcMaster(address(), Duration.ofMinutes(1));
    this.workers =
        new GrpcWorkers(
            ClusterSpec.of(
                Map.of(SERVED.job(), List.of(address()), CALLER.job(), List.of("localhost:0"))),
            CALLER,
            Recording.of(WorkerInterface.class).target(),
            Duration.ofMinutes(1));
  }

  public static GrpcLoop around(MasterInterface master, WorkerInterface worker) {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return new GrpcLoop(GrpcServer.start(anyPort, master, worker));
  }

  /** For a test that needs no worker. */
  public static GrpcLoop around(MasterInterface master) {
    return around(master, Recording.of(WorkerInterface.class).target());
  }

  /** For a test that needs no master. */
  public static GrpcLoop around(WorkerInterface worker) {
    return around(Recording.of(MasterInterface.class).target(), worker);
  }

  public MasterInterface master() {
    return master;
  }

  public WorkerInterface worker() {
    return workers.worker(SERVED);
  }

  /** {@code host:port} of the server. */
  public String address() {
    return "localhost:" + server.port();
  }

  /** Stops the server; the clients stay. */
  public void stopServer() {
    server.close();
  }

  @Override
  public void close() {
    workers.close();
    master.close();
    server.close();
  }
}
