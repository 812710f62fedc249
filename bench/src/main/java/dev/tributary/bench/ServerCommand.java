package dev.tributary.bench;

import dev.tributary.error.TributaryException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A task of a cluster. There are no clusters yet: it says so and ends, and the driver goes on. */
@Command(name = "server", description = "Serves as a task of a cluster (not supported yet).")
final class ServerCommand implements Runnable {
  @Option(names = "--job", required = true)
  private String job;

  @Option(names = "--task", required = true)
  private int task;

  @Option(names = "--ps", split = ",")
  private List<String> ps;

  @Option(names = "--worker", split = ",")
  private List<String> workers;

  @Override
  public void run() {
    throw TributaryException.unimplemented(
        "servers are not supported yet: cannot start /job:%s/task:%d", job, task);
  }
}
