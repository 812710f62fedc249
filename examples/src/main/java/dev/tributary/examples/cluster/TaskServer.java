package dev.tributary.examples.cluster;

import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that is one task of a cluster of many machines, or several tasks of a hybrid one:
 * {@code TaskServer CLUSTER JOB:TASK...}, such as {@code TaskServer '{"ps": ["a:2222"], "worker":
 * ["b:2222", "c:2222"]}' worker:1}. Serves until standard input ends.
 */
public final class TaskServer {
  private TaskServer() {}

  public static void main(String[] arguments) throws Exception {
    ClusterSpec cluster = ClusterSpec.parseJson(arguments[0]);
    List<Server> servers = new ArrayList<>();
    for (String task : List.of(arguments).subList(1, arguments.length)) {
      String[] jobAndNumber = task.split(":");
      Server server =
          Server.start(
              ServerOptions.of(cluster, jobAndNumber[0], Integer.parseInt(jobAndNumber[1])));
      System.out.println(task + " serves at " + server.target());
      servers.add(server);
    }
    while (System.in.read() >= 0) {
      // Whoever started this process says nothing; the end of input is the signal.
    }
    servers.forEach(Server::stop);
  }
}
