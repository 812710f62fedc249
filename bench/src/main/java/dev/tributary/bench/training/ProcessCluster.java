package dev.tributary.bench.training;

import dev.tributary.bench.LoopbackCluster;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Tasks of a cluster on this machine, each in a process of this program. Owns the processes.
 * Confined to one thread.
 */
final class ProcessCluster implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(1);

  private final List<TaskProcess> tasks = new ArrayList<>();

  private ProcessCluster() {}

  /** Addresses at free ports. */
  static ClusterSpec spec(int parameterServers, int workers) {
    List<String> addresses = LoopbackCluster.freeAddresses(parameterServers + workers);
    return LoopbackCluster.spec(
        addresses.subList(0, parameterServers),
        addresses.subList(parameterServers, addresses.size()));
  }

  /** Starts the tasks of a job and waits until all serve. */
  static ProcessCluster start(ClusterSpec spec, String job, String... options) {
    ProcessCluster cluster = new ProcessCluster();
    try {
      for (TaskName name : spec.tasks()) {
        if (name.job().equals(job)) {
          cluster.tasks.add(TaskProcess.start(name, command(spec, name, options)));
        }
      }
      cluster.tasks.forEach(task -> task.answer(START_LIMIT));
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** In the order of their numbers. */
  List<TaskProcess> tasks() {
    return tasks;
  }

  @Override
  public void close() {
    tasks.forEach(TaskProcess::close);
  }

  private static List<String> command(ClusterSpec spec, TaskName name, String... options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(TrainingSuite.class.getName(), "task"));
    command.addAll(List.of("--cluster", spec.toJson()));
    command.addAll(List.of("--job", name.job(), "--task", Integer.toString(name.index())));
    command.addAll(List.of(options));
    return command;
  }
}
