package dev.tributary.train.testing;

import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.graph.Graph;
import dev.tributary.session.Session;
import dev.tributary.testing.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Parameter servers and workers of a cluster, all in this process. */
public final class TrainingCluster implements AutoCloseable {
  private final List<Server> servers = new ArrayList<>();
  private final List<Server> workers = new ArrayList<>();

  private TrainingCluster() {}

  public static TrainingCluster start(int parameterServers, int workers) {
    List<String> addresses = addresses(parameterServers + workers);
    ClusterSpec spec =
        ClusterSpec.of(
            Map.of(
                "ps", addresses.subList(0, parameterServers),
                "worker", addresses.subList(parameterServers, parameterServers + workers)));
    TrainingCluster cluster = new TrainingCluster();
    for (int i = 0; i < parameterServers; i++) {
      cluster.servers.add(Server.start(ServerOptions.of(spec, "ps", i)));
    }
    for (int i = 0; i < workers; i++) {
      Server worker = Server.start(ServerOptions.of(spec, "worker", i));
      cluster.servers.add(worker);
      cluster.workers.add(worker);
    }
    return cluster;
  }

  private static List<String> addresses(int count) {
    try {
      return FreePorts.addresses(count);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A session at a worker's own server. */
  public Session session(int worker, Graph graph) {
    return Session.open(workers.get(worker).target(), graph);
  }

  public String target(int worker) {
    return workers.get(worker).target();
  }

  @Override
  public void close() {
    for (int i = servers.size() - 1; i >= 0; i--) {
      servers.get(i).close();
    }
  }
}
