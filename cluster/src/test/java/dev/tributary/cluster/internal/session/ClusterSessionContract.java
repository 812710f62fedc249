package dev.tributary.cluster.internal.session;

import dev.tributary.cluster.server.FastPaths;
import dev.tributary.cluster.server.ServersForTest;
import dev.tributary.graph.Graph;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionContract;
import dev.tributary.session.SessionOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The contract of a session at the master of a worker, whose cluster also has a ps. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ClusterSessionContract extends SessionContract {
  private ServersForTest servers;

  /** The paths that tensors take between the tasks. */
  abstract FastPaths fastPaths();

  /** The path of the client's requests to the master. */
  abstract ClusterOptions clientPath(ClusterOptions options);

  @BeforeAll
  void startCluster() {
    servers =
        ServersForTest.start(
            Map.of("ps", 1, "worker", 1), options -> options.withFastPaths(fastPaths()));
  }

  @AfterAll
  void stopCluster() {
    servers.close();
  }

  @AfterEach
  void clearVariables() {
    Session.reset(servers.target("worker", 0), List.of());
  }

  @Override
  protected Session open(Graph graph) {
    ClusterOptions cluster = ClusterOptions.defaults().withOpenTimeout(Duration.ofSeconds(60));
    return Session.open(
        servers.target("worker", 0),
        graph,
        SessionOptions.defaults().withCluster(clientPath(cluster)));
  }

  @Override
  protected String otherDevice() {
    return "/job:ps/replica:0/task:0/device:CPU:0";
  }
}
