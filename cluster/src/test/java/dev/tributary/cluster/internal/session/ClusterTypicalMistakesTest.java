package dev.tributary.cluster.internal.session;

import dev.tributary.cluster.server.ServersForTest;
import dev.tributary.graph.Graph;
import dev.tributary.session.Session;
import dev.tributary.session.TypicalMistakesContract;
import dev.tributary.testing.NoLeaks;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** Mistakes in sessions on a cluster in this process. */
@NoLeaks
class ClusterTypicalMistakesTest extends TypicalMistakesContract {
  private static ServersForTest servers;

  @BeforeAll
  static void startCluster() {
    servers = ServersForTest.start(Map.of("ps", 1, "worker", 1));
  }

  @AfterAll
  static void stopCluster() {
    servers.close();
  }

  @AfterEach
  void clear() {
    Session.reset(servers.target("worker", 0), List.of());
  }

  @Override
  protected Session open(Graph graph) {
    return Session.open(servers.target("worker", 0), graph);
  }
}
