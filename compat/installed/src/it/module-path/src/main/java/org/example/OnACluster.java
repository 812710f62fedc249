package org.example;

import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.graph.Operation;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import java.util.List;
import java.util.Map;

/** Finds the minimum of a parabola with a variable on a server of its own. */
public final class OnACluster {
  private OnACluster() {}

  public static float minimum() {
    ClusterSpec cluster = ClusterSpec.of(Map.of("local", List.of("localhost:0")));
    Ops tf = Ops.create();
    Variable x = tf.variable("x", 0f);
    Operation train =
        new GradientDescentOptimizer(0.1).minimize(tf.square(tf.sub(x, tf.constant(3f))));
    try (Server server = Server.start(ServerOptions.of(cluster, "local", 0));
        Session session = Session.open(server.target(), tf.graph())) {
      session.run(tf.globalVariablesInitializer());
      for (int i = 0; i < 100; i++) {
        session.run(train);
      }
      return session.fetch(x).floatValue();
    }
  }
}
