package dev.tributary.train.data;

import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A worker in a process of its own, until its input ends. The arguments are its address and, if
 * there is one, that of a parameter server.
 */
public final class DatasetServerMain {
  private DatasetServerMain() {}

  static ClusterSpec cluster(String... addresses) {
    List<String> worker = List.of(addresses[0]);
    return addresses.length == 1
        ? ClusterSpec.of(Map.of("worker", worker))
        : ClusterSpec.of(Map.of("worker", worker, "ps", List.of(addresses[1])));
  }

  public static void main(String[] arguments) throws IOException {
    ClusterSpec cluster = cluster(arguments);
    try (Server server = Server.start(ServerOptions.of(cluster, "worker", 0))) {
      System.out.println("ready " + server.target());
      while (System.in.read() >= 0) {
        // Nothing is expected but the end.
      }
    }
  }
}
