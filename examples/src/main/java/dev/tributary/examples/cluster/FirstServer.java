package dev.tributary.examples.cluster;

import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import java.util.List;
import java.util.Map;

/**
 * The first of two servers: {@code FirstServer localhost:2222 localhost:2223}. It opens a session
 * at once, which waits until the second server is up, however late that is.
 */
public final class FirstServer {
  private FirstServer() {}

  public static void main(String[] arguments) {
    ClusterSpec cluster = ClusterSpec.of(Map.of("local", List.of(arguments)));
    Ops tf = Ops.create();
    try (Server server = Server.start(ServerOptions.of(cluster, "local", 0))) {
      System.out.println("First server: running no-op...");
      try (Session session = Session.open(server.target(), tf.graph())) {
        session.run(tf.noOp());
      }
      System.out.println("First server: no-op run!");
    }
  }
}
