package dev.tributary.bench.training;

import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One task of a cluster, until its input ends. A worker trains the mlp as it is told: for some
 * {@code seconds N} or so many {@code steps N}, and answers how many examples a second it took.
 */
@Command(name = "task", description = "Serves as a task of a cluster, and trains as it is told.")
final class TaskCommand implements Callable<Integer> {
  @Option(names = "--cluster", required = true)
  private String cluster;

  @Option(names = "--job", required = true)
  private String job;

  @Option(names = "--task", required = true)
  private int task;

  @Option(names = "--sync", description = "All workers make each step together.")
  private boolean sync;

  @Override
  public Integer call() throws IOException {
    ClusterSpec spec = ClusterSpec.parseJson(cluster);
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (Server server = Server.start(ServerOptions.of(spec, job, task).withWarmUp(true))) {
      say("READY");
      if (job.equals("worker")) {
        int workers = spec.jobs().get("worker").size();
        try (MlpReplica replica = new MlpReplica(server.target(), task, workers, sync)) {
          obey(replica, orders);
        }
      } else {
        orders.readLine(); // Nobody orders; only the end counts.
      }
    }
    return 0;
  }

  private static void obey(MlpReplica replica, BufferedReader orders) throws IOException {
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      String[] words = order.split(" ");
      double rate =
          switch (words[0]) {
            case "seconds" -> replica.trainFor(Double.parseDouble(words[1]));
            case "steps" -> replica.trainSteps(Integer.parseInt(words[1]));
            default -> throw new IllegalArgumentException("no such order: " + order);
          };
      say(Double.toString(rate));
    }
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
