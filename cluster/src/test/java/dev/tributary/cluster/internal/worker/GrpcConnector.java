package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.rpc.GrpcServer;
import dev.tributary.cluster.internal.rpc.GrpcWorkers;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** Over gRPC, each worker through a server and a client of its own. */
final class GrpcConnector implements Connector {
  private static final TaskName SERVED = new TaskName("served", 0);

  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  @Override
  public WorkerInterface connect(Worker local) {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    GrpcServer server = GrpcServer.start(new InetSocketAddress(loopback, 0), noMaster(), local);
    open.push(server);
    String address = loopback.getHostAddress() + ":" + server.port();
    GrpcWorkers client =
        new GrpcWorkers(
            ClusterSpec.of(Map.of(SERVED.job(), List.of(address))),
            new TaskName("client", 0),
            local,
            Duration.ofMinutes(1));
    open.push(client);
    return client.worker(SERVED);
  }

  @Override
  public void close() {
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  private static MasterInterface noMaster() {
    return (MasterInterface)
        Proxy.newProxyInstance(
            GrpcConnector.class.getClassLoader(),
            new Class<?>[] {MasterInterface.class},
            (proxy, method, arguments) -> {
              throw new AssertionError("this server has no master, but was asked to " + method);
            });
  }
}
