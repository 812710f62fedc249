package dev.tributary.cluster.internal.taskserver;

import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.session.TaskServer;
import dev.tributary.session.TaskServerFactory;
import dev.tributary.session.TaskServerOptions;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** Starts {@link Server}s. */
public final class ClusterTaskServers implements TaskServerFactory {
  @Override
  public TaskServer start(TaskServerOptions options) {
    Map<String, Map<Integer, String>> jobs = new TreeMap<>(options.cluster());
    ServerOptions server =
        ServerOptions.of(ClusterSpec.ofSparse(jobs), options.job(), options.task())
            .withSecurity(options.security())
            .withInsecure(options.insecure());
    return new ClusterTaskServer(Server.start(server));
  }

  private record ClusterTaskServer(Server server) implements TaskServer {
    @Override
    public String target() {
      return server.target();
    }

    @Override
    public void complete() {
      server.complete();
    }

    @Override
    public void stopWhenDone(String job, Duration grace) {
      server.stopWhenDone(job, grace);
    }

    @Override
    public boolean join(Duration limit) throws InterruptedException {
      return server.join(limit);
    }

    @Override
    public void close() {
      server.stop();
    }
  }
}
