package dev.tributary.examples.cluster;

import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import java.util.List;
import java.util.Map;

/**
 * The smallest cluster: one task, in the process of its client. {@code StandaloneServer
 * localhost:2222}
 */
public final class StandaloneServer {
  private StandaloneServer() {}

  public static void main(String[] arguments) {
    ClusterSpec cluster = ClusterSpec.of(Map.of("local", List.of(arguments[0])));
    Ops tf = Ops.create();
    Output product = tf.mul(tf.constant(6f), tf.constant(7f));
    try (Server server = Server.start(ServerOptions.of(cluster, "local", 0));
        Session session = Session.open(server.target(), tf.graph())) {
      System.out.println("6 x 7 = " + session.fetch(product).floatValue());
    }
  }
}
