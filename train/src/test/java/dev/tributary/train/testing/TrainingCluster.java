package dev.tributary.train.testing;

import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.graph.Graph;
import dev.tributary.session.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Parameter servers and workers of a cluster, all in this process. */
public final class TrainingCluster implements AutoCloseable {
  private final ClusterSpec spec;
  private final List<Server> parameterServers = new ArrayList<>();
  private final List<Server> workers = new ArrayList<>();

  private final Optional<Path> files;

  private TrainingCluster(ClusterSpec spec, Optional<Path> files) {
    this.spec = spec;
    this.files = files;
  }

  public static TrainingCluster start(int parameterServers, int workers) {
    return start(parameterServers, workers, Optional.empty());
  }

  /** The same with tasks that see only the files of a folder. */
  public static TrainingCluster start(int parameterServers, int workers, Path files) {
    return start(parameterServers, workers, Optional.of(files));
  }

  private static TrainingCluster start(int parameterServers, int workers, Optional<Path> files) {
    List<String> addresses = FreePorts.addresses(parameterServers + workers);
    ClusterSpec spec =
        ClusterSpec.of(
            Map.of(
                "ps", addresses.subList(0, parameterServers),
                "worker", addresses.subList(parameterServers, parameterServers + workers)));
    TrainingCluster cluster = new TrainingCluster(spec, files);
    for (int i = 0; i < parameterServers; i++) {
      cluster.parameterServers.add(cluster.startServer("ps", i));
    }
    for (int i = 0; i < workers; i++) {
      cluster.workers.add(cluster.startServer("worker", i));
    }
    return cluster;
  }

  private Server startServer(String job, int task) {
    ServerOptions options = ServerOptions.of(spec, job, task);
    return Server.start(files.map(options::withFileRoot).orElse(options));
  }

  /** Ends a parameter server, with its variables, and starts it again without them. */
  public void restartParameterServer(int task) {
    parameterServers.get(task).close();
    parameterServers.set(task, startServer("ps", task));
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
    for (int i = workers.size() - 1; i >= 0; i--) {
      workers.get(i).close();
    }
    for (int i = parameterServers.size() - 1; i >= 0; i--) {
      parameterServers.get(i).close();
    }
  }
}
