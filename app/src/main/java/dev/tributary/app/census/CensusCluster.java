package dev.tributary.app.census;

import dev.tributary.app.launch.Program;
import dev.tributary.app.launch.Roles;
import dev.tributary.app.launch.TaskProcess;
import dev.tributary.app.launch.TaskProcesses;
import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.cluster.spec.TaskName;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * A training on a cluster of processes on this machine. Each runs the same command line and learns
 * its task from {@code TF_CONFIG}.
 *
 * @param main the class that the processes run
 * @param logs where each task's log goes
 * @param restarts how often each task is started again
 */
record CensusCluster(
    Class<?> main,
    int parameterServers,
    int workers,
    Path logs,
    int restarts,
    List<String> arguments) {
  private static final Duration END_LIMIT = Duration.ofSeconds(30);

  void run(PrintWriter out) throws InterruptedException {
    List<TaskName> cluster = Roles.ofCluster(parameterServers, workers, true);
    Iterator<String> addresses = FreePorts.addresses(cluster.size()).iterator();
    Roles roles = Roles.at(cluster, false, task -> addresses.next());
    try (TaskProcesses processes =
        new TaskProcesses(new TaskProcesses.Restarts(logs, restarts, line -> print(out, line)))) {
      List<TaskProcess> awaited = new ArrayList<>();
      for (TaskName task : roles.tasks()) {
        String name = task.job() + " " + task.index();
        Program program =
            Program.ofThis(main, arguments)
                .withEnvironment(Map.of("TF_CONFIG", roles.tfConfig(task)));
        TaskProcess process =
            processes.start(name, program, line -> print(out, name + ": " + line));
        if (!roles.runsForEver(task)) {
          awaited.add(process);
        }
      }
      processes.awaitSuccess(awaited);
      processes.awaitRest(END_LIMIT);
    }
  }

  private static void print(PrintWriter out, String line) {
    synchronized (out) {
      out.println(line);
      out.flush();
    }
  }
}
