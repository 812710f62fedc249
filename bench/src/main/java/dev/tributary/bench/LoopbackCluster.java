package dev.tributary.bench;

import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A parameter server and its workers in this process, at free ports. Owns the servers. */
public final class LoopbackCluster implements AutoCloseable {
  private final ClusterSpec spec;
  private final List<Server> servers = new ArrayList<>();

  private LoopbackCluster(ClusterSpec spec) {
    this.spec = spec;
  }

  /** Starts a parameter server and this many workers, which may be none. */
  public static LoopbackCluster start(int workers) {
    List<String> addresses = freeAddresses(1 + workers);
    LoopbackCluster cluster =
        new LoopbackCluster(spec(addresses.subList(0, 1), addresses.subList(1, 1 + workers)));
    try {
      for (TaskName task : cluster.spec.tasks()) {
        cluster.servers.add(Server.start(ServerOptions.of(cluster.spec, task.job(), task.index())));
      }
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  public static ClusterSpec spec(List<String> ps, List<String> workers) {
    return ClusterSpec.of(
        workers.isEmpty()
            ? Map.of(Replica.PS, ps)
            : Map.of(Replica.PS, ps, Replica.WORKER, workers));
  }

  public ClusterSpec spec() {
    return spec;
  }

  @Override
  public void close() {
    servers.forEach(Server::close);
  }

  /** At loopback ports; another process may still take one before it is used. */
  public static List<String> freeAddresses(int count) {
    List<ServerSocket> held = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        // All stay open until the last is found, or the system might give one twice.
        held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return held.stream().map(socket -> "localhost:" + socket.getLocalPort()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port", e);
    } finally {
      held.forEach(LoopbackCluster::close);
    }
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
