package dev.tributary.bench;

import dev.tributary.cluster.server.Server;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** A task of a cluster, until the driver ends the process. */
@Command(name = "server", description = "Serves as a task of a cluster; says READY when it does.")
final class ServerCommand implements Callable<Integer> {
  @Option(names = "--job", required = true)
  private String job;

  @Option(names = "--task", required = true)
  private int task;

  @Option(names = "--ps", split = ",", required = true)
  private List<String> ps;

  @Option(names = "--worker", split = ",", required = true)
  private List<String> workers;

  @ParentCommand private Course course;

  @Override
  public Integer call() throws InterruptedException {
    try (Server server =
        Server.start(course.serverOptions(LoopbackCluster.spec(ps, workers), job, task))) {
      new Driver(System.in, System.out).ready();
      server.join();
    }
    return 0;
  }
}
