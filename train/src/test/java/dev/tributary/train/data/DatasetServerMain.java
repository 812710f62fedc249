package dev.tributary.train.data;

import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A task in a process of its own, at the address that is its argument, until its input ends. */
public final class DatasetServerMain {
  private DatasetServerMain() {}

  public static void main(String[] arguments) throws IOException {
    ClusterSpec cluster = ClusterSpec.of(Map.of("worker", List.of(arguments[0])));
    try (Server server = Server.start(ServerOptions.of(cluster, "worker", 0))) {
      System.out.println("ready " + server.target());
      while (System.in.read() >= 0) {
        // Nothing is expected but the end.
      }
    }
  }
}
