package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.rpc.GrpcMaster;
import dev.tributary.cluster.internal.rpc.GrpcServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** How masters of a test are reached. */
interface MasterConnector extends AutoCloseable {
  /** Reaches a master whose task has this worker. */
  MasterInterface connect(Master local, WorkerInterface worker);

  @Override
  void close();

  /** Without a wire. */
  static MasterConnector inProcess() {
    return new MasterConnector() {
      @Override
      public MasterInterface connect(Master local, WorkerInterface worker) {
        return local;
      }

      @Override
      public void close() {}
    };
  }

  /** Over gRPC, each master through a server and a client of its own. */
  static MasterConnector grpc() {
    return new MasterConnector() {
      private final Deque<AutoCloseable> open = new ArrayDeque<>();

      @Override
      public MasterInterface connect(Master local, WorkerInterface worker) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        GrpcServer server = GrpcServer.start(new InetSocketAddress(loopback, 0), local, worker);
        open.push(server);
        GrpcMaster client =
            new GrpcMaster(loopback.getHostAddress() + ":" + server.port(), Duration.ofMinutes(1));
        open.push(client);
        return client;
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
    };
  }
}
